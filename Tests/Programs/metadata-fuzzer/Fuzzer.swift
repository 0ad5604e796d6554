internal import Glibc

// The entry points that libFuzzer calls; in a build of scripts/fuzz.sh, libFuzzer provides the
// program's main. Both functions are public so that the compiler does not treat them as unused.
// Source: LLVM, docs/LibFuzzer.rst, "Fuzz Target" and "Startup initialization".

/// Reads the parser's name from the environment variable `METADATA_PARSER`.
@c(LLVMFuzzerInitialize)
public func initializeFuzzer(_: OpaquePointer?, _: OpaquePointer?) -> CInt {
  guard let name = getenv("METADATA_PARSER"), let parser = Parser(rawValue: String(cString: name))
  else {
    complain("metadata-fuzzer: METADATA_PARSER names no parser")
    exit(64)
  }
  fuzzed = parser
  return 0
}

/// Checks one input; a finding ends the program.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ length: Int) -> CInt {
  InputCheck.check(UnsafeRawBufferPointer(start: start, count: length), fuzzed)
  return 0
}

// Written once, before the first input; libFuzzer has one thread.
nonisolated(unsafe) private var fuzzed = Parser.jpeg
