internal import Glibc

/// Arguments as the bytes that they are: Swift replaces those that are not UTF-8, and then no file
/// has that name.
enum ArgumentBytes {
  /// The bytes of arguments that were parsed as text, in their order on the command line.
  static func bytes(of texts: [String]) -> [[UInt8]] {
    bytes(of: texts, among: own)
  }

  /// Finds each text, in order, among arguments of which it is one as Swift reads them.
  ///
  /// A text without one is its own bytes.
  static func bytes(of texts: [String], among arguments: [[UInt8]]) -> [[UInt8]] {
    var rest = arguments[...]
    return texts.map { text in
      let utf8 = Array(text.utf8)
      guard
        let index = rest.firstIndex(where: {
          Array(String(decoding: $0, as: UTF8.self).utf8) == utf8
        })
      else { return utf8 }
      defer { rest = rest[(index + 1)...] }
      return rest[index]
    }
  }

  /// Those of this process, without its name. Ask before confinement: the runtime reads /proc.
  private static var own: [[UInt8]] {
    let arguments = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      arguments[index].map { argument in
        Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
      }
    }
  }
}
