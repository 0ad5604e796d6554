internal import ArgumentParser
internal import Glibc
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
    bytes = Self.arguments.bytes[argument] ?? Array(argument.utf8)
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

  // It is set by the only thread, before anything is parsed.
  nonisolated(unsafe) private static var taken: (bytes: [[UInt8]], texts: ArgumentTexts)?

  /// Takes the arguments of the command line that is performed.
  static func take(_ arguments: [[UInt8]]) { taken = (arguments, ArgumentTexts(arguments)) }

  /// The arguments that were taken, without the name of the program.
  static var typed: [[UInt8]] { taken?.bytes ?? [] }

  /// The same as texts.
  static var arguments: ArgumentTexts { taken?.texts ?? ArgumentTexts([]) }

  /// The arguments of this process, without the name of the program. Call before confinement: the runtime reads them
  /// in /proc.
  static var own: [[UInt8]] {
    let arguments = CommandLine.unsafeArgv
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      arguments[index].map { argument in
        Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
      }
    }
  }
}

/// Arguments as texts for the parser, and the way back to their bytes.
struct ArgumentTexts {
  /// The texts, in the order of the arguments.
  ///
  /// One that is no UTF-8 is repaired; where another argument would have the same text, U+FFFD follows it until
  /// none has.
  private(set) var texts: [String] = []
  /// The bytes of each argument, and of each value behind `=`, that is no UTF-8, by its text.
  private(set) var bytes: [String: [UInt8]] = [:]

  /// - Parameter arguments: Without the name of the program.
  init(_ arguments: [[UInt8]]) {
    // A text that is valid is its own bytes, whatever comes before it.
    let validTexts = Set(
      arguments.filter { String(validating: $0, as: UTF8.self) != nil }.flatMap(Self.readings)
        .map { String(decoding: $0, as: UTF8.self) }
    )
    for argument in arguments {
      var suffix = ""
      let readings = Self.readings(argument)
      guard String(validating: argument, as: UTF8.self) == nil else {
        texts.append(String(decoding: argument, as: UTF8.self))
        continue
      }
      while readings.contains(where: { reading in
        let text = String(decoding: reading, as: UTF8.self) + suffix
        return validTexts.contains(text) || bytes[text].map { $0 != reading } ?? false
      }) { suffix += "\u{FFFD}" }
      for reading in readings {
        bytes[String(decoding: reading, as: UTF8.self) + suffix] = reading
      }
      texts.append(String(decoding: argument, as: UTF8.self) + suffix)
    }
  }

  /// An argument, and the value that it has as an option with `=`.
  private static func readings(_ argument: [UInt8]) -> [[UInt8]] {
    guard argument.starts(with: "--".utf8), let sign = argument.firstIndex(of: UInt8(ascii: "="))
    else { return [argument] }
    return [argument, Array(argument[(sign + 1)...])]
  }
}
