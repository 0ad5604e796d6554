internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaSyntax
internal import MediaWorkerProtocol

/// A word of an option that has no meaning there.
struct OptionWordError: Error, CustomStringConvertible {
  /// What the option takes.
  let description: String
}

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
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    if words == ["h264"] { return }
    guard words.count == 2, words[0] == "h264", let height = Int(words[1]),
      FilmJob.heights.contains(height)
    else {
      let (minimum, maximum) = (FilmJob.heights.lowerBound, FilmJob.heights.upperBound)
      throw OptionWordError(
        description: "it takes h264, or h264:720 with a height from \(minimum) to \(maximum)."
      )
    }
    self.height = height
  }
}

extension LibraryExport.NotConverted {
  /// Names files that could not be converted.
  static func write(_ files: [Self]) {
    FolderOptions.note(files) {
      "\"\(EscapedText.percentEscaped($0.path))\" was not converted, and is as it is in the library: "
        + "\($0.detail)."
    } more: {
      "\(Quantity.text($0, "more file")) could not be converted."
    }
  }

  /// The files as a member of a result.
  static func json(_ files: [Self]) -> JSONValue {
    .array(
      files.map { file in
        [
          "path": .string(EscapedText.percentEscaped(file.path)), "detail": .string(file.detail),
        ]
      }
    )
  }
}
