package import MediaModel
package import MediaWorkerProtocol

/// The answer of a person at a picker or on a page.
package enum PickerAnswer: Sendable, Hashable {
  /// The maximum length of a message in bytes: 100,000 live photos with long names.
  package static let maximumLength = 64 << 20
  /// The most files: 100,000 live photos, each with its edited rendition.
  private static let maximumFiles = PickCandidate.maximumFileCount * PickRequest.maximumLimit

  case picked([ItemPath])
  case canceled
  case interrupted
  case failed(ConsentError.Code)
  /// All of the source, on a page that asks for it.
  case allowed
  /// Nothing of the source.
  case denied
  /// The selection of an earlier answer.
  case kept
  /// One of several sources of a kind stays closed, and nothing is stored about it.
  case skipped
  /// To be asked about each of several sources of a kind.
  case each
  /// The sources to be asked about, by their rows on a page.
  case sources([Int])
  /// What was decided about groups of pictures.
  case decided([GroupAnswer])

  private enum Kind: UInt8 {
    case picked = 1
    case canceled, interrupted, failed, allowed, denied, kept, sources, skipped, each, decided
  }
}

extension PickerAnswer: WireValue {
  package func put(into writer: inout WireWriter) {
    func put(_ kind: Kind) { writer.put(kind.rawValue) }
    switch self {
    case .picked(let paths):
      put(.picked)
      writer.put(paths: paths)
    case .canceled: put(.canceled)
    case .interrupted: put(.interrupted)
    case .failed(let code):
      put(.failed)
      writer.put(code.rawValue)
    case .allowed: put(.allowed)
    case .denied: put(.denied)
    case .kept: put(.kept)
    case .skipped: put(.skipped)
    case .each: put(.each)
    case .sources(let rows):
      put(.sources)
      writer.put(all: rows) { $0.put(UInt8(clamping: $1)) }
    case .decided(let answers):
      put(.decided)
      writer.put(list: answers)
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    guard let kind = Kind(rawValue: try reader.integer()) else {
      throw ProtocolError("no answer of a person")
    }
    switch kind {
    case .picked:
      var paths: [ItemPath] = []
      for _ in 0..<(try reader.count(limit: Self.maximumFiles)) {
        paths.append(ItemPath(bytes: try reader.blob(limit: Self.maximumLength)))
      }
      // A person who picks nothing cancels.
      guard !paths.isEmpty else { throw ProtocolError("nothing was picked") }
      self = .picked(paths)
    case .canceled: self = .canceled
    case .interrupted: self = .interrupted
    case .failed: self = .failed(try reader.choice())
    case .allowed: self = .allowed
    case .denied: self = .denied
    case .kept: self = .kept
    case .skipped: self = .skipped
    case .each: self = .each
    case .sources:
      var rows: [Int] = []
      for _ in 0..<(try reader.count(limit: Int(UInt8.max))) {
        rows.append(Int(try reader.integer(UInt8.self)))
      }
      guard !rows.isEmpty else { throw ProtocolError("nothing was chosen") }
      self = .sources(rows)
    case .decided:
      let answers: [GroupAnswer] = try reader.list(limit: PictureGroup.mostPictures)
      guard !answers.isEmpty else { throw ProtocolError("nothing was decided") }
      self = .decided(answers)
    }
  }
}

/// The message of a page: how many names it has shown, and the answer.
package struct PageReply: Sendable, Hashable {
  /// The number of different names that were shown, at most ``PickRequest/maximumLimit``.
  package var shownCount: Int
  package var answer: PickerAnswer
  /// The items that were selected, a live photo being one; 0 for other answers.
  package var selectedCount: Int
  /// The languages of the person, as ``LanguageRange`` has them, by which the page has told the usage description.
  package var languages: [String]

  /// Makes a reply.
  package init(shownCount: Int, answer: PickerAnswer, selectedCount: Int = 0, languages: [String] = []) {
    self.shownCount = shownCount
    self.answer = answer
    self.selectedCount = selectedCount
    self.languages = languages
  }
}

extension PageReply: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(UInt32(clamping: shownCount))
    answer.put(into: &writer)
    writer.put(UInt32(clamping: selectedCount))
    writer.put(all: languages) { $0.put($1) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    shownCount = try reader.count(limit: PickRequest.maximumLimit)
    answer = try PickerAnswer(from: &reader)
    selectedCount = try reader.count(limit: PickRequest.maximumLimit)
    languages = []
    for _ in 0..<(try reader.count(limit: LanguageRange.maximumCount)) {
      languages.append(try reader.text(limit: LanguageTag.maximumLength))
    }
  }
}
