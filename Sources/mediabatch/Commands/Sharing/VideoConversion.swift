internal import ArgumentParser
internal import MediaWorkerProtocol

/// The coding to which films are converted, `h264` or `h264:720`.
struct VideoConversion {
  /// The most pixels of the shorter side.
  var height = 1080

  static let help = ArgumentHelp(
    """
    Convert films that browsers cannot play, such as HEVC, ProRes or AVI, to H.264 and AAC in MP4: h264, or \
    h264:1080 with the most pixels of the shorter side. They are upright, SDR, and have no metadata; what browsers \
    play is as it is in the library.
    """,
    valueName: "h264[:height]"
  )

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
