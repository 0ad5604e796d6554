internal import MediaModel
internal import MediaSandbox
internal import Synchronization

/// The arguments of a command line as bytes, as texts for the parser, and the way back from these.
struct CommandArguments {
  private static let taken = Mutex(CommandArguments([]))

  /// The command line that is performed.
  static var current: CommandArguments { taken.withLock { $0 } }

  /// Takes the command line that is performed, before it is parsed.
  ///
  /// - Parameter arguments: Without the name of the program.
  static func take(_ arguments: [[UInt8]]) {
    let arguments = CommandArguments(arguments)
    taken.withLock { $0 = arguments }
  }

  /// The name by which this program was called.
  static var programName: [UInt8] { WorkerProcess.ownWords.first ?? Array("mediabatch".utf8) }

  /// The arguments, as the kernel passed them.
  let typed: [[UInt8]]
  /// The texts, in the order of the arguments.
  ///
  /// One that is no UTF-8 is repaired; where another argument would have the same text, U+FFFD follows it until
  /// none has.
  private(set) var texts: [String] = []
  /// Whether they ask for a command's help, and not for all of it.
  let asksForShortHelp: Bool
  /// The bytes of each argument, and of each value behind `=`, that is no UTF-8, by its text.
  private(set) var bytes: [String: [UInt8]] = [:]

  /// - Parameter arguments: Without the name of the program.
  init(_ arguments: [[UInt8]]) {
    typed = arguments
    let words = arguments.prefix { $0 != Array("--".utf8) }
    func holds(_ word: String) -> Bool { words.contains(Array(word.utf8)) }
    asksForShortHelp =
      !holds("--help-hidden") && (words.first == Array("help".utf8) || holds("--help") || holds("-h"))
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
