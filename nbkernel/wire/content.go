package wire

import "encoding/json"

// Values of the status field of replies.
const (
	StatusOK      = "ok"
	StatusError   = "error"
	StatusAborted = "aborted" // deprecated since 5.1, still sent by some kernels
)

// States of a kernel in Status.
const (
	Busy     = "busy"
	Idle     = "idle"
	Starting = "starting"
)

// Failure is the content of an error message. Traceback must not be nil: the protocol has no
// null there.
type Failure struct {
	EName     string   `json:"ename"`
	EValue    string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// ErrorReply is the content of any reply whose status is error.
type ErrorReply struct {
	Status         string   `json:"status"`
	EName          string   `json:"ename"`
	EValue         string   `json:"evalue"`
	Traceback      []string `json:"traceback"`
	ExecutionCount *int     `json:"execution_count,omitempty"` // execute_reply only
}

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

// ExecuteRequest asks to run a cell.
type ExecuteRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    bool              `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     bool              `json:"stop_on_error"`
}

// UnmarshalJSON reads a request; what it does not say is as the protocol has it:
// store_history, allow_stdin and stop_on_error are true, and a silent cell has no history.
func (r *ExecuteRequest) UnmarshalJSON(data []byte) error {
	type plain ExecuteRequest
	p := plain{StoreHistory: true, AllowStdin: true, StopOnError: true}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	p.StoreHistory = p.StoreHistory && !p.Silent
	*r = ExecuteRequest(p)
	return nil
}

// ExecuteReply ends a cell that did not fail. See ErrorReply for one that did.
type ExecuteReply struct {
	Status          string           `json:"status"`
	ExecutionCount  int              `json:"execution_count"`
	UserExpressions map[string]any   `json:"user_expressions"`
	Payload         []map[string]any `json:"payload"`
}

// AnyExecuteReply is an execute_reply as a client reads it, whatever its status.
type AnyExecuteReply struct {
	Status          string           `json:"status"`
	ExecutionCount  int              `json:"execution_count"`
	UserExpressions map[string]any   `json:"user_expressions"`
	Payload         []map[string]any `json:"payload"`
	EName           string           `json:"ename"`
	EValue          string           `json:"evalue"`
	Traceback       []string         `json:"traceback"`
}

// ExecuteInput tells all front ends which cell runs.
type ExecuteInput struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// Status is the content of status messages.
type Status struct {
	ExecutionState string `json:"execution_state"`
}

// Stream is text on stdout or stderr.
type Stream struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// DisplayData is the content of display_data and update_display_data.
type DisplayData struct {
	Data      map[string]any `json:"data"`
	Metadata  map[string]any `json:"metadata"`
	Transient Transient      `json:"transient"`
}

// Transient is information that no notebook stores.
type Transient struct {
	DisplayID string `json:"display_id,omitempty"`
}

// ExecuteResult is the value of a cell.
type ExecuteResult struct {
	ExecutionCount int            `json:"execution_count"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
}

// ClearOutput removes the outputs of a cell.
type ClearOutput struct {
	Wait bool `json:"wait"`
}

// CompleteRequest asks for names. CursorPos counts code points.
type CompleteRequest struct {
	Code      string `json:"code"`
	CursorPos int    `json:"cursor_pos"`
}

// CompleteReply lists names. The positions count code points.
type CompleteReply struct {
	Status      string         `json:"status"`
	Matches     []string       `json:"matches"`
	CursorStart int            `json:"cursor_start"`
	CursorEnd   int            `json:"cursor_end"`
	Metadata    map[string]any `json:"metadata"`
}

// InspectRequest asks what a name is. CursorPos counts code points.
type InspectRequest struct {
	Code        string `json:"code"`
	CursorPos   int    `json:"cursor_pos"`
	DetailLevel int    `json:"detail_level"`
}

// InspectReply describes a name.
type InspectReply struct {
	Status   string         `json:"status"`
	Found    bool           `json:"found"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
}

// IsCompleteRequest asks whether the code can be run as it is.
type IsCompleteRequest struct {
	Code string `json:"code"`
}

// IsCompleteReply has the status complete, incomplete, invalid or unknown.
type IsCompleteReply struct {
	Status string `json:"status"`
	Indent string `json:"indent"`
}

// HistoryRequest asks for earlier cells.
type HistoryRequest struct {
	Output         bool   `json:"output"`
	Raw            bool   `json:"raw"`
	HistAccessType string `json:"hist_access_type"` // "tail", "range" or "search"
	Session        int    `json:"session"`          // range: 0 is this one, negative counts back
	Start          int    `json:"start"`            // range
	Stop           int    `json:"stop"`             // range, exclusive; 0 means to the end
	N              int    `json:"n"`                // tail, search: at most so many; 0 means all
	Pattern        string `json:"pattern"`          // search: glob
	Unique         bool   `json:"unique"`           // search
}

// HistoryReply holds entries (session, line, input), where input is the pair
// (input, output) if the request has Output.
type HistoryReply struct {
	Status  string   `json:"status"`
	History [][3]any `json:"history"`
}

// CommInfoRequest asks for the open comms, of one target or of all.
type CommInfoRequest struct {
	TargetName string `json:"target_name"`
}

// CommInfoReply lists open comms by their IDs.
type CommInfoReply struct {
	Status string         `json:"status"`
	Comms  map[string]any `json:"comms"`
}

// Comm is the content of comm_open, comm_msg and comm_close.
type Comm struct {
	CommID     string          `json:"comm_id"`
	TargetName string          `json:"target_name,omitempty"`
	Data       json.RawMessage `json:"data"`
}

// Shutdown is the content of shutdown_request and, with Status, of shutdown_reply.
type Shutdown struct {
	Status  string `json:"status,omitempty"`
	Restart bool   `json:"restart"`
}

// StatusReply is the content of a reply that has nothing to say.
type StatusReply struct {
	Status string `json:"status"`
}

// InputRequest asks the front end for a line.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// InputReply is the line.
type InputReply struct {
	Status string `json:"status,omitempty"`
	Value  string `json:"value"`
}
