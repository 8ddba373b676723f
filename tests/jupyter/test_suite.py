"""The tests of jupyter_kernel_test, with every attribute filled so that none is left out."""

import unittest

import jupyter_kernel_test


class NBKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "eigenbook"
    language_name = "go"
    file_extension = ".go"

    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "careful")'
    code_page_something = "%help ppca.FitDual"
    code_generate_error = 'var none []int\nnone[3]'
    code_inspect_sample = "ppca.FitDual"
    code_clear_output = "fmt.Println(1)\ndisplay.Clear(false)\nfmt.Println(2)"

    completion_samples = [
        {"text": "ppca.FitD", "matches": ["FitDual"]},
        {"text": "π := math.Sqr", "matches": ["Sqrt", "SqrtPi", "Sqrt2", "SqrtE", "SqrtPhi"]},
        {"text": "%wh", "matches": ["%who"]},
        {"text": "fmt.nothing_begins_like_this", "matches": []},
    ]
    complete_code_samples = ["x := 1", "func f() {}", "for i := range 3 {\n\tfmt.Println(i)\n}", "%who", "!ls", ""]
    incomplete_code_samples = ["func f() {", "x := []int{1,", "s := `raw", "y := 1 +", "/* comment"]
    invalid_code_samples = ["}", "x := ]", '"no end']

    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": 'strings.ToUpper("go")', "result": "GO"},
        {"code": "x := 2.5\nx", "result": "2.5"},
        {"code": "display.Math(`x^2`)", "mime": "text/latex"},
        {"code": "mat.NewDense(1, 2, []float64{3, 4})", "mime": "text/html"},
    ]
    code_display_data = [
        {"code": "display.Show(display.Markdown(`**bold**`))", "mime": "text/markdown"},
        {"code": "display.Show(display.Spectrum([]float64{3, 2, 1}))", "mime": "image/png"},
    ]

    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "6?7"


# Loading by name would find the class that is only a base.
def load_tests(loader, tests, pattern):
    return unittest.TestSuite([loader.loadTestsFromTestCase(NBKernelTests)])
