/// The false part of an answer; the source file names it with `LIE:` and the word, near its start.
enum Lie: String, CaseIterable {
  // The edit list.
  case rangeBeyondEnd, rangeOverflow, rangeOverlap, rangeDescends, rangeEmpty
  case endlessLiterals, endlessOperations, unknownOperation
  case otherMagic, emptyOutput, noEditList, editBeforeFacts, editAfterEnd, twoEditEnds
  case editListUnasked
  case removedUnknown, removedTooMany, removedTwice
  // The facts.
  case factsTwice, otherFormat, acceptedWrongly, cutAndDone, shortDigest, digestOfTwin, otherDigest
  case orientationNine, sizeTooLarge, dateOutOfRange, dateHostile, durationNegative
  case cameraTooLong, cameraNotUTF8, contentIdentifierTooLong, tagTooLong
  case movieBeyondEnd
  case textHostile
  // The end.
  case detailHostile, detailTooLong, detailNotUTF8, reasonNotItsOwn, unknownReason, doneAtOnce
  // Thumbnails.
  case thumbnailOtherName, thumbnailTwice, thumbnailTooWide, thumbnailWithoutSize
  case thumbnailNotJPEG, thumbnailTooLong, thumbnailsMixed, thumbnailMissing, thumbnailUnfinished
  case thumbnailEndless, thumbnailNameHostile
  // The job.
  case otherJob, nextJob, noJob, answersTwice, answersEndlessly
  case otherRequest, sidecarOfPhoto
  // Frames.
  case frameEmpty, frameOf4GiB, unknownKind, messageGoesOn, messageEndsEarly, helloTwice, noise
  case halfFrame, silence, slowly
  // The process.
  case crash, exitInBetween, descriptorsAlong

  /// Returns the lie that a file's bytes name; nil for a file that is served honestly.
  init?(in bytes: [UInt8]) {
    let mark = Array("LIE:".utf8)
    let head = Array(bytes.prefix(200))
    guard
      let start = head.indices.first(where: { head[$0...].starts(with: mark) })
    else { return nil }
    let word = head[(start + mark.count)...].prefix { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    self.init(rawValue: String(decoding: word, as: UTF8.self))
  }
}

/// The false part before any job; the last bytes of the program's own file name it with `START:`.
enum StartLie: String, CaseIterable {
  case otherBuild, otherVersion, noHello, helloHostile, jobBeforeHello, endsAtOnce, noiseFirst
}

/// Text that would do harm on a terminal, in a report or in a log without escaping.
enum Hostile {
  static let text =
    "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\n{\"event\":\"outcome\"}\r\u{202E}gpj.exe\u{0} </td>"

  /// 1 MiB less the overhead of a frame.
  static let long = String(repeating: "A", count: (1 << 20) - 4096)
}
