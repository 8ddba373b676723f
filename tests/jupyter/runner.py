"""Runs the tests of this folder, or those whose names are given. A skipped test has failed."""

import pathlib
import sys
import unittest


class Result(unittest.TextTestResult):
    """A result that counts what passed and does not let a test be left out."""

    passed = 0

    def addSuccess(self, test):
        self.passed += 1
        super().addSuccess(test)

    def addSkip(self, test, reason):
        try:
            raise AssertionError(f"skipped: {reason or 'an attribute is empty'}")
        except AssertionError:
            self.addFailure(test, sys.exc_info())

    def printErrors(self):
        super().printErrors()
        self.stream.writeln(f"conformance: {self.passed} of {self.testsRun}")


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    loader = unittest.defaultTestLoader
    sys.path.insert(0, str(here))
    tests = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(str(here))
    runner = unittest.TextTestRunner(verbosity=2, resultclass=Result)
    sys.exit(not runner.run(tests).wasSuccessful())
