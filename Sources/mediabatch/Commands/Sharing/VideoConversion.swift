internal import ArgumentParser
internal import MediaWorkerProtocol

/// The coding to which films are converted, `h264` or `h264:720`.
struct VideoConversion {
  /// The most pixels of the shorter side.
  var height = 1080

  static var help: ArgumentHelp {
    ArgumentHelp(
      "Convert videos that browsers cannot play to MP4: h264, or h264:720.",
      details: """
        HEVC, ProRes and AVI, for example, become H.264 and AAC. The number is the most pixels of the shorter side, by \
        default 1080. Converted videos are upright and SDR, and have no metadata. What browsers play stays as it is in \
        the library.
        """,
      valueName: "h264[:height]"
    )
  }

  /// - Throws: ``OptionWordError`` with what the option takes.
  init(text: String) throws {
    let (minimum, maximum) = (FilmJob.heights.lowerBound, FilmJob.heights.upperBound)
    height = try text.number(behind: "h264", default: height, in: FilmJob.heights)
      .orThrow("it takes h264, or h264:720 with a height from \(minimum) to \(maximum).")
  }
}

extension String {
  /// The number of `word:number`; that of the word alone is the default, and other texts have none.
  func number(behind word: String, default number: Int, in range: ClosedRange<Int>) -> Int? {
    let words = split(separator: ":", omittingEmptySubsequences: false)
    guard let first = words.first, first == word, words.count <= 2 else { return nil }
    if words.count == 1 { return number }
    return Int(words[1]).flatMap { range.contains($0) ? $0 : nil }
  }
}
