internal import Foundation
internal import MediaFileSystem
internal import MediaModel
internal import MediaWorkerProtocol

/// A batch in the journal: an object of JSON with the paths that any reader may need, and with the batch itself in
/// Base64 for the command that finishes it.
extension StagedBatch {
  /// The content of the batch's row.
  var journal: [UInt8] {
    get throws {
      var (batch, row) = (self, JournalRow())
      try row.pass(&batch)
      let moved = movedPaths
      var content = Array("{\"\(Journal.paths)\":".utf8)
      content += TextList.array(newPaths)
      if !moved.isEmpty { content += Array(",\"\(Journal.moved)\":".utf8) + TextList.array(moved) }
      return content + Array(",\"batch\":\"".utf8) + Base64.encoded(row.bytes)
        + Array("\"}".utf8)
    }
  }

  /// Reads what ``journal`` has written.
  ///
  /// - Throws: `DecodingError` for anything else, and for a batch that names a file outside the folders of published
  ///   ones: the command that finishes it writes its paths into records that are signed.
  init(journal: Data) throws {
    let content = try JSONDecoder().decode(Journal.self, from: journal)
    var (batch, row) = (StagedBatch(), JournalRow(reading: Base64.bytes(content.batch) ?? []))
    do {
      try row.pass(&batch)
    } catch let error as ProtocolError {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(error)"))
    }
    let aside = batch.edits.filter { $0.kind == .withdraw }.flatMap(\.moves)
    guard batch.paths.allSatisfy(LibraryFolder.isPlace),
      aside.map(\.to).allSatisfy(LibraryFolder.isPlaceAside),
      batch.stagedNames.allSatisfy({ !$0.utf8.contains(.slash) && $0 != "." && $0 != ".." }),
      batch.edits.allSatisfy({ [nil, 0, 90, 180, 270].contains($0.rotation) })
    else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "path"))
    }
    self = batch
  }

  /// The names that files have in staging, or a folder of an asset there.
  private var stagedNames: [String] {
    let thumbnails = assets.flatMap(\.thumbnails) + results.flatMap(\.thumbnails)
    let incoming = additions?.files.map { String(decoding: $0.incomingName, as: UTF8.self) } ?? []
    return assets.map(\.stagedName) + thumbnails.map(\.stagedName) + incoming
  }

  /// Every path of a published file, below the library.
  private var paths: [String] {
    let outputs = results.flatMap { [$0.output, $0.restored] }.compactMap { $0?.published }
    return outputs + results.flatMap(\.thumbnails).map(\.publishedPath) + newPaths + movedPaths
  }

  /// The members of a row that is read.
  struct Journal: Decodable {
    /// The paths below the library that new files get, and renamed ones.
    static let paths = "paths"
    /// The paths below the library that files have which the batch renames or moves aside.
    static let moved = "moved"

    var moved: [String]?
    var batch: String
  }
}

extension StagedBatch: JournalValue {
  init() { self.init(results: [], assets: []) }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&results)
    try row.pass(&assets)
    try row.pass(&edits)
    try row.pass(&additions)
  }
}

/// The members of the journal in `Outcome.fields`, with the planned item and the thumbnails as they are staged, and
/// with what only the catalogue has.
extension ItemResult: JournalValue {
  init() {
    self.init(item: PlannedItem(), outcome: .failed, writtenUnder: "", policy: .keep)
  }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&item)
    try row.pass(&conditions)
    try row.pass(&writtenUnder)
    if row.isReading { details = Outcome(source: item.source, path: item.path, outcome: .failed) }
    var thumbnails = thumbnails
    try row.pass(&thumbnails)
    if row.isReading { self.thumbnails = thumbnails }
    for field in Outcome.fields(in: .journal) { try pass(field.form, through: &row) }
    // Known only now, whatever the order of the fields.
    if row.isReading { details.sourceDigest?.isKeyed = details.policy != .keep }
  }

  private mutating func pass(_ form: Outcome.Form, through row: inout JournalRow) throws {
    switch form {
    case .word(let word):
      var text = word.text(details)
      try row.pass(&text)
      guard row.isReading, let text else { break }
      guard word.set(&details, text) else { throw ProtocolError("unknown word") }
    case .text(let path): try row.pass(&details[keyPath: path])
    case .flag(let path): try row.pass(&details[keyPath: path])
    case .digest(let path): try row.pass(&details[keyPath: path])
    case .file(let path): try row.pass(&details[keyPath: path])
    case .sourceDigest:
      var digest = sourceDigest
      try row.pass(&digest)
      if row.isReading { sourceDigest = digest }
    case .removed: try row.pass(&details.removed)
    case .path, .mutedTracks, .trailerRemoved, .thumbnails: break
    }
  }
}

extension PlannedItem: JournalValue {
  init() {}

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&source)
    try row.pass(&path)
    try row.pass(&status)
    try row.pass(&saveTime.microseconds)
  }
}

extension ItemPath: JournalValue {
  init() { self.init(bytes: []) }
  mutating func pass(through row: inout JournalRow) throws { try row.pass(&bytes) }
}

extension FileStatus: JournalValue {
  init() { self.init(kind: .other) }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&kind)
    try row.pass(&device)
    try row.pass(&inode)
    try row.pass(&mount)
    try row.pass(&size)
    try row.pass(&allocated)
    try row.pass(&modified)
    try row.pass(&changed)
    try row.pass(&linkCount)
  }
}

extension OutputFile: JournalValue {
  init() { self.init(path: ItemPath(), sha256: "", bytes: 0) }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&path)
    try row.pass(&sha256)
    try row.pass(&bytes)
  }
}

extension RemovedMetadata: JournalValue {
  init() { self.init(name: "", count: 0) }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&name)
    try row.pass(&count)
  }
}

extension StagedAsset: JournalValue {
  init() {}

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&localIdentifier)
    try row.pass(&isKnown)
    try row.pass(&restoredFolder)
    try row.pass(&isRewritten)
    try row.pass(&replaces)
    try row.pass(&olderVersion)
    try row.pass(&contentDigest)
    try row.pass(&burstDigest)
    try row.pass(&saveTime.microseconds)
    try row.pass(&label)
    try row.pass(&mediaType)
    try row.pass(&source)
    try row.pass(&policy)
    try row.pass(&facts)
    try row.pass(&degraded)
    try row.pass(&stagedName)
    try row.pass(&resources)
    try row.pass(&thumbnails)
  }
}

extension StagedResource: JournalValue {
  init() {}

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&role)
    try row.pass(&fileName)
    try row.pass(&format)
    try row.pass(&bytes)
    try row.pass(&sha256)
    try row.pass(&sourceDigest)
    try row.pass(&source)
    try row.pass(&sourcePath)
  }
}

extension StagedThumbnail: JournalValue {
  init() {}

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&name)
    try row.pass(&fingerprint)
    try row.pass(&size.width)
    try row.pass(&size.height)
    try row.pass(&stagedName)
    try row.pass(&date)
    try row.pass(&fileName)
    try row.pass(&bytes)
    try row.pass(&sha256)
    try row.pass(&thumbHash)
    try row.pass(&perceptualHash)
  }
}

extension StagedAdditions: JournalValue {
  init() {}

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&photoLibrary)
    try row.pass(&files)
  }
}

extension StagedAddition: JournalValue {
  init() {}

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&source)
    try row.pass(&path)
    try row.pass(&localIdentifier)
    try row.pass(&incomingName)
    try row.pass(&date)
    try row.pass(&bytes)
    try row.pass(&sourceDigest)
    try row.pass(&isDigestKeyed)
  }
}

extension LibraryEdit: JournalValue {
  init() { self.init(.stack, []) }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&kind)
    try row.pass(&assets)
    try row.pass(&label)
    try row.pass(&rotation)
    try row.pass(&folder)
    try row.pass(&moves)
  }
}

extension LibraryEdit.Move: JournalValue {
  init() { self.init(from: "", to: "", bytes: 0, sha256: "") }

  mutating func pass(through row: inout JournalRow) throws {
    try row.pass(&from)
    try row.pass(&to)
    try row.pass(&bytes)
    try row.pass(&sha256)
  }
}
