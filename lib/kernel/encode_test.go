package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"eigenbook/lib/kernel"
)

func TestMarshalForm(t *testing.T) {
	for _, tc := range []struct {
		k    kernel.Kernel
		want string
	}{
		{kernel.Linear{}, `{"type":"Linear"}`},
		{kernel.RBF{LengthScale: 2}, `{"type":"RBF","lengthScale":2}`},
		{kernel.Polynomial{Degree: 3, Scale: 0.5}, `{"type":"Polynomial","degree":3,"scale":0.5,"offset":0}`},
		{kernel.Scaled{Factor: 2, Kernel: kernel.Cosine{}}, `{"type":"Scaled","factor":2,"kernels":[{"type":"Cosine"}]}`},
	} {
		if got, err := kernel.Marshal(tc.k); string(got) != tc.want || err != nil {
			t.Errorf("Marshal(%v) = %s, %v; want %s", tc.k, got, err, tc.want)
		}
	}
}

func TestMarshalErrors(t *testing.T) {
	f := kernel.Func{Name: "mine", F: kernel.Dot}
	for _, tc := range []struct {
		k    kernel.Kernel
		want error
	}{
		{nil, kernel.ErrEncoding},
		{f, kernel.ErrEncoding},
		{kernel.Sum{Kernels: []kernel.Kernel{kernel.Linear{}, f}}, kernel.ErrEncoding},
		{kernel.RBF{}, kernel.ErrParameter},
	} {
		if got, err := kernel.Marshal(tc.k); !errors.Is(err, tc.want) || got != nil {
			t.Errorf("Marshal(%v) = %s, %v; want %v", tc.k, got, err, tc.want)
		}
	}
}

func TestUnmarshalErrors(t *testing.T) {
	deep := strings.Repeat(`{"type":"Sum","kernels":[`, 100) + `{"type":"Linear"}` + strings.Repeat("]}", 100)
	for _, tc := range []struct {
		data string
		want error
	}{
		{``, kernel.ErrEncoding},
		{`null`, kernel.ErrEncoding},
		{`[]`, kernel.ErrEncoding},
		{`{"type":"Bessel"}`, kernel.ErrEncoding},
		{`{"type":"RBF","gamma":2}`, kernel.ErrEncoding},
		{`{"type":"Linear"} {"type":"Linear"}`, kernel.ErrEncoding},
		{`{"type":"Scaled","factor":2}`, kernel.ErrEncoding},
		{`{"type":"RBF"}`, kernel.ErrParameter},
		{`{"type":"RBF","lengthScale":-1}`, kernel.ErrParameter},
		{`{"type":"RBF","lengthScale":1e999}`, kernel.ErrEncoding},
		{`{"type":"Sum"}`, kernel.ErrParameter},
		{deep, kernel.ErrEncoding},
	} {
		if k, err := kernel.Unmarshal([]byte(tc.data)); !errors.Is(err, tc.want) || k != nil {
			t.Errorf("Unmarshal(%.60s) = %v, %v; want %v", tc.data, k, err, tc.want)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, k := range valid {
		data, err := kernel.Marshal(k)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := kernel.Unmarshal(data)
		if err != nil {
			return
		}
		again, err := kernel.Marshal(k)
		if err != nil {
			t.Fatalf("%s gave %v, which cannot be saved: %v", data, k, err)
		}
		if back, err := kernel.Unmarshal(again); err != nil || back.String() != k.String() {
			t.Errorf("%v became %v, %v", k, back, err)
		}
	})
}
