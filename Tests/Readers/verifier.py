"""mediabatch-verify, loaded once and run in a child for each set of arguments.

A start of Python takes ten times as long as most of what is asked of it.
"""
import importlib.machinery
import importlib.util
import os
import signal
import sys
import tempfile
import traceback

# Seconds. A child that takes longer is ended by SIGALRM, whose code is below zero.
LIMIT = 120


def load(path):
    loader = importlib.machinery.SourceFileLoader("mediabatch_verify", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Verifier:
    def __init__(self, path):
        self.module = load(path)

    def run(self, *words):
        """The exit code, standard output and standard error, of which the last is text."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as error:
            sys.stdout.flush()
            sys.stderr.flush()
            child = os.fork()
            if not child:
                self.become(words, output, error)
            _, status = os.waitpid(child, 0)
            output.seek(0)
            error.seek(0)
            return os.waitstatus_to_exitcode(status), output.read(), error.read().decode("utf-8", "replace")

    def become(self, words, output, error):
        code = 1
        try:
            null = os.open(os.devnull, os.O_RDONLY)
            for number, file in enumerate((null, output.fileno(), error.fileno())):
                os.dup2(file, number)
            signal.alarm(LIMIT)
            code = self.module.main(list(words))
        except SystemExit as end:
            code = end.code
        except BaseException:
            traceback.print_exc()
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code if isinstance(code, int) else 1)
