internal import MediaModel

/// A name that begins with the words of a screenshot, or of a recording of a screen, in any of the
/// languages of ``FileNameTable``.
///
/// Composed and decomposed letters are the same, so are all spaces with `_`, all dashes, and both apostrophes;
/// digits of every script count, and marks that only direct or break text do not.
struct ScreenshotName {
  /// Whether it is a recording and no picture.
  let isRecording: Bool
  /// What follows the words: bytes in lower case with digits of ASCII, and the words of ``Meridiem`` that
  /// stand before a time as one byte each.
  let suffix: [UInt8]

  /// Which half of the day a time of twelve hours is in, by the byte that stands for its word.
  enum Meridiem: UInt8 {
    case morning = 1
    case afternoon = 2
  }

  /// Reads a name; nil for one that begins with no such words.
  init?(_ name: ArraySlice<UInt8>) {
    // Most names begin with a letter or a digit that none of the words has.
    guard let first = name.first, first >= 0x80 || Self.initials.contains(first | 0x20) else {
      return nil
    }
    let folded = Self.folded(String(decoding: name, as: UTF8.self))
    guard let word = Self.words.first(where: { folded.starts(with: $0.characters) }) else {
      return nil
    }
    isRecording = word.isRecording
    suffix = Self.bytes(folded.dropFirst(word.characters.count))
  }

  /// Returns a name in lower case with composed letters, digits of ASCII, and the bytes of ``suffix``; from some
  /// name that may be no text.
  static func folded(bytes name: ArraySlice<UInt8>) -> [UInt8] {
    bytes(folded(String(decoding: name, as: UTF8.self))[...])
  }

  private static let words: [(characters: [Character], isRecording: Bool)] = {
    var all: [(characters: [Character], isRecording: Bool)] = []
    for words in FileNameTable.words {
      for word in words.screenshots { all.append((folded(word), false)) }
      for word in words.recordings { all.append((folded(word), true)) }
    }
    return all
  }()

  /// The first letters of the words in ASCII; a decomposed letter begins with one too.
  private static let initials: Set<UInt8> = {
    var initials: Set<UInt8> = [UInt8(ascii: "a"), UInt8(ascii: "i")]
    for word in words {
      if let byte = word.characters.first?.utf8.first, byte < 0x80 { initials.insert(byte) }
    }
    return initials
  }()

  /// Words before a time, each of characters.
  ///
  /// Source: Unicode CLDR, dayPeriods of zh, ja and ko.
  private static let meridiems: [(characters: [Character], meridiem: Meridiem)] = [
    (Array("上午"), .morning), (Array("下午"), .afternoon), (Array("午前"), .morning),
    (Array("午後"), .afternoon), (Array("오전"), .morning), (Array("오후"), .afternoon),
  ]

  private static func folded(_ text: String) -> [Character] {
    var scalars = String.UnicodeScalarView()
    for scalar in text.lowercased().unicodeScalars {
      switch scalar.value {
      case 0x5F, 0xA0, 0x2007, 0x202F, 0x3000: scalars.append(" ")
      case 0x2019: scalars.append("'")
      case 0x2010...0x2015, 0x2212: scalars.append("-")
      // Control characters, SOFT HYPHEN, joiners, and what directs the text.
      case 0..<0x20, 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2066...0x2069: continue
      case 0x80...: scalars.append(digit(scalar) ?? scalar)
      default: scalars.append(scalar)
      }
    }
    return Array(String(scalars))
  }

  private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
      (0...9).contains(value)
    else { return nil }
    return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
  }

  private static func bytes(_ characters: ArraySlice<Character>) -> [UInt8] {
    var bytes: [UInt8] = []
    var unread = characters
    while let first = unread.first {
      if let word = meridiems.first(where: { unread.starts(with: $0.characters) }) {
        bytes.append(word.meridiem.rawValue)
        unread = unread.dropFirst(word.characters.count)
      } else {
        bytes += first.utf8
        unread = unread.dropFirst()
      }
    }
    return bytes
  }
}
