internal import ArgumentParser
internal import MediaFileSystem
internal import MediaModel

/// A path on the command line, as the bytes that it is.
///
/// Swift repairs the bytes that are no UTF-8 before the parser sees them, and then no file has that name.
struct PathArgument: ExpressibleByArgument {
  /// The bytes of the argument, as the kernel passed them.
  let bytes: [UInt8]
  /// The path for a person, with repaired bytes; opens nothing.
  let text: String

  /// Finds the bytes of what was parsed as text; a text that is no argument's is its own bytes.
  init(argument: String) {
    text = argument
    bytes = CommandArguments.current.bytes[argument] ?? Array(argument.utf8)
  }

  var defaultValueDescription: String { text }

  /// A path that no argument gave.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The path from the root, whether the file is there or not.
  var absolute: [UInt8] {
    bytes.first == .slash
      ? bytes : (FileSystem.resolved([UInt8.dot]) ?? []) + [UInt8.slash] + bytes
  }
}
