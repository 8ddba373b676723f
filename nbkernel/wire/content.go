package wire

import "encoding/json"

// KernelInfoReply answers kernel_info_request.
type KernelInfoReply struct {
	Status                string       `json:"status"`
	ProtocolVersion       string       `json:"protocol_version"`
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	LanguageInfo          LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	Debugger              bool         `json:"debugger"`
	HelpLinks             []HelpLink   `json:"help_links"`
	SupportedFeatures     []string     `json:"supported_features"`
}

// LanguageInfo describes the language of the cells.
type LanguageInfo struct {
	Name              string          `json:"name"`
	Version           string          `json:"version"`
	MIMEType          string          `json:"mimetype"`
	FileExtension     string          `json:"file_extension"`
	PygmentsLexer     string          `json:"pygments_lexer,omitempty"`
	CodeMirrorMode    json.RawMessage `json:"codemirror_mode,omitempty"` // a name or an object
	NBConvertExporter string          `json:"nbconvert_exporter,omitempty"`
}

// A HelpLink is an entry of a front end's help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}
