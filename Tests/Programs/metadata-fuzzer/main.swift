internal import Glibc

// metadata-fuzzer PARSER FILE…   gives each file to the parser once, to reproduce a finding
//
// A build of scripts/fuzz.sh links libFuzzer's main instead of this one.

guard CommandLine.arguments.count > 1, let parser = Parser(rawValue: CommandLine.arguments[1])
else {
  let names = Parser.allCases.map(\.rawValue).joined(separator: "|")
  complain("usage: metadata-fuzzer \(names) FILE…")
  exit(64)
}

for path in CommandLine.arguments.dropFirst(2) {
  guard let bytes = contents(of: path) else {
    complain("metadata-fuzzer: \(path) cannot be read")
    exit(66)
  }
  InputCheck.check(bytes, parser)
  print("\(path): \(bytes.count) bytes, nothing found")
}
