// Package browser tests the kernel as a user meets it: Debian's chromium opens Debian's
// jupyter-notebook, and mouse and keyboard do the rest.
//
//	go test ./tests/browser
//	EIGENBOOK_SCREENSHOTS=/tmp/shots go test -count=1 ./tests/browser
//
// With EIGENBOOK_SCREENSHOTS every step leaves its picture in that folder; without, a test
// that fails leaves one of the moment at which it failed, in a folder it names.
package browser
