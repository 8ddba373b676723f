package command

// editorJS and editorCSS lie beside kernel.json, where the classic Notebook (up to 6) looks
// for them; other front ends know Go's indentation by themselves, or ignore the files.
const (
	// editorJS makes the editor indent Go as gofmt does, with tabs.
	editorJS = `define(['base/js/namespace', 'notebook/js/codecell'], function (Jupyter, codecell) {
    var indentation = {indentWithTabs: true, indentUnit: 4, tabSize: 4};
    return {onload: function () {
        Object.assign(codecell.CodeCell.options_default.cm_config, indentation);
        Jupyter.notebook.get_cells().forEach(function (cell) {
            if (cell.cell_type !== 'code') { return; }
            Object.keys(indentation).forEach(function (name) { cell.code_mirror.setOption(name, indentation[name]); });
        });
    }};
});
`

	// editorCSS takes away the arrows that the editor draws for tabs, and breaks the lines of
	// tooltips between words.
	editorCSS = `.cm-s-ipython span.cm-tab { background: none; }
#tooltip pre { word-break: normal; overflow-wrap: break-word; }
`
)
