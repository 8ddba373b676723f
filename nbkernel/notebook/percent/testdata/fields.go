//go:build ignore

//nbkernel:notebook {"metadata":{"kernelspec":{"display_name":"Go (GoNB)","language":"go","name":"gonb"}},"nbformat_minor":5}

package main

// %% [markdown] id="intro-1"

// # Title
//
//gonb:"two blanks  "
//gonb:%% no marker
// ![dot](attachment:dot.png)

//nbkernel:cell {"attachments":{"dot.png":{"image/png":"iVBORw0KGgo="}}}

// %% The parameters id="params" editable=false tags=["parameters"]

import "fmt"

func _() {
	n := 3
}

//nbkernel:cell {"metadata":{"odd key":1}}

// %% [raw] id="c3" title="a=b"

//nbkernel:cell {"later":{"x":1.50}}
