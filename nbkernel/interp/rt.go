package interp

import "reflect"

func Clear(m any) { reflect.ValueOf(m).Clear() }

func rtSymbols() Exports {
	m := map[string]reflect.Value{}
	for n, f := range map[string]any{"MakeBox": MakeBox, "RegBind": RegBind, "Norm": Norm, "Raw": Raw, "Eq": Eq, "Is": Is, "Val": Val, "Which": Which, "AssertFail": AssertFail,
		"Method": Method, "IsBox": IsBox, "BoxID": BoxID, "Wrap": Wrap, "ErrorsAs": ErrorsAs, "NewDefers": NewDefers, "Printf": Printf, "Sprintf": Sprintf, "Errorf": Errorf, "Fprintf": Fprintf, "Println": Println, "Print": Print, "Clear": Clear, "GoPanic": GoPanic, "Go": Go, "JSONUnmarshal": JSONUnmarshal} {
		m[n] = reflect.ValueOf(f)
	}
	m["Defers"] = reflect.ValueOf((*Defers)(nil))
	return Exports{"eb/rt/rt": m}
}
