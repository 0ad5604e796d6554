internal import MediaModel

/// The facts besides a date that a file's name tells, by the words that phones and programs write.
package struct FileNameFacts: Sendable, Hashable {
  /// Whether the file is a screenshot.
  private(set) var isScreenshot = false
  /// Whether the file is a panorama.
  private(set) var isPanorama = false
  /// The part of the name that all pictures of its burst share.
  package private(set) var burst: String?
  /// Whether it is the picture that its camera picked of the burst; nil outside a burst.
  private(set) var isBurstPick: Bool?

  /// Reads a name; bytes.
  package init(_ name: [UInt8]) {
    let name = name.prefix(200)
    let lower = name.map { $0.asciiLowercased }
    isScreenshot = ScreenshotName(name).map { !$0.isRecording } ?? false
    isPanorama = lower.starts(with: "pano_".utf8)
    readBurst(name)
  }

  private init() {}

  /// ``isBurstPick`` alone of a name, bytes.
  static func isBurstPick(_ name: ArraySlice<UInt8>) -> Bool? {
    var facts = FileNameFacts()
    facts.readBurst(name.prefix(200))
    return facts.isBurstPick
  }

  /// Reads `…BURST20190704101530123_COVER`, where the time is that of the burst,
  /// `IMG_20190704_101530_BURST001_COVER`, where all before the number is, and Samsung's `20190704_101530_001`.
  private mutating func readBurst(_ name: ArraySlice<UInt8>) {
    if let samsung = Self.samsungBurst(name) {
      (burst, isBurstPick) = (samsung, false)
      return
    }
    let word = Array("BURST".utf8)
    let starts = name.indices.dropLast(word.count)
    guard let start = starts.first(where: { name[$0...].starts(with: word) }) else { return }
    let suffix = name[(start + word.count)...]
    let digits = suffix.prefix { $0.isASCIIDigit }
    switch digits.count {
    case 14, 17: burst = String(decoding: word + digits, as: UTF8.self)
    case 1...5 where start > name.startIndex:
      let before = name[name.startIndex..<start] + word
      guard let text = String(validating: before, as: UTF8.self) else { return }
      burst = text
    default: return
    }
    isBurstPick = suffix.dropFirst(digits.count).starts(with: "_COVER".utf8)
  }

  /// The time of the burst in `20190704_101530_001.jpg`, of digits and nothing else; nil for any other name.
  private static func samsungBurst(_ name: ArraySlice<UInt8>) -> String? {
    let parts = name.prefix { $0 != .dot }
      .split(separator: UInt8.underscore, omittingEmptySubsequences: false)
    guard parts.map(\.count) == [8, 6, 3],
      parts.joined().allSatisfy(\.isASCIIDigit)
    else { return nil }
    return String(decoding: name.prefix(15), as: UTF8.self)
  }
}
