package kernel

import (
	"encoding/json"
	"runtime"
	"strings"

	"eigenbook/nbkernel/wire"
)

// kernelInfo says what this kernel is.
func kernelInfo(version string) wire.KernelInfoReply {
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	return wire.KernelInfoReply{
		Status:                wire.StatusOK,
		ProtocolVersion:       wire.ProtocolVersion,
		Implementation:        "eigenbook",
		ImplementationVersion: version,
		LanguageInfo: wire.LanguageInfo{
			Name:              "go",
			Version:           goVersion,
			MIMEType:          "text/x-go",
			FileExtension:     ".go",
			PygmentsLexer:     "go",
			CodeMirrorMode:    json.RawMessage(`"go"`),
			NBConvertExporter: "script",
		},
		Banner:            "Eigenbook " + version + ": Go " + goVersion + ", interpreted, with kernel methods, probabilistic PCA and GP latent variable models compiled in",
		HelpLinks:         []wire.HelpLink{{Text: "Go", URL: "https://go.dev/doc/"}, {Text: "gonum", URL: "https://pkg.go.dev/gonum.org/v1/gonum"}},
		SupportedFeatures: []string{},
	}
}
