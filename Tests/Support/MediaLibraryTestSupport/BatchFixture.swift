internal import Foundation
internal import MediaDigest
import MediaFileSystem
package import MediaLibrary
package import MediaModel
internal import MediaTestSupport

/// What stands in a folder, by path: content of files, target of links, nil for a folder.
package func snapshot(_ folder: String) throws -> [String: String?] {
  var entries: [String: String?] = [:]
  guard let walk = FileManager.default.enumerator(atPath: folder) else { return [:] }
  for case let path as String in walk {
    var isFolder: ObjCBool = false
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + path) {
      entries[path] = "link to " + target
    } else if FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      entries.updateValue(nil, forKey: path)
    } else {
      entries[path] = String(decoding: try readBytes(folder + "/" + path), as: UTF8.self)
    }
  }
  return entries
}

/// Waits for the lock: a program that another test starts at this moment has it too, for the time
/// between its fork and its exec.
package func openLibrary(_ path: String, waits: Bool = true) throws -> Library {
  try Library(path: Array(path.utf8), waits: waits, holder: "a test")
}

/// Runs `body` with an open library, and closes it like a process that ends.
package func withLibrary<Value>(_ path: String, _ body: (Library) throws -> Value) throws -> Value {
  let library = try openLibrary(path)
  defer { library.catalogue.close() }
  return try body(library)
}

/// A batch of four assets: a still with a thumbnail, a pair, a sound, and new thumbnails for an
/// asset that an earlier batch has published.
package struct BatchFixture {
  package static let run = "0000aaaa"
  package let library: Library

  package static let position = AuditPosition(
    file: "000001-0000aaaa.ndjson",
    run: run,
    records: 1,
    bytes: 9,
    head: "h"
  )

  /// Begins the run and publishes the earlier asset.
  package init(_ library: Library) throws {
    self.library = library
    try library.catalogue.beginRun(
      Self.run,
      started: SaveTime(microseconds: 0),
      client: "c",
      manifestSHA256: "m",
      audit: Self.position
    )
    let first = try intend()
    let staged = StagedBatch(
      results: [Self.result("known.jpg", 0, asset: "known")],
      assets: [Self.asset("known", 0, ["known"])]
    )
    try stage(first, staged)
    var publisher = Publisher(library: library)
    try publisher.publish(first, staged)
    try library.catalogue.publish(first, staged, run: Self.run)
    try publisher.removeStagingFolder(first)
    try library.catalogue.finish([first], run: Self.run, audit: Self.position)
  }

  /// Goes on in a library that has the run already.
  package init(continuing library: Library) { self.library = library }

  package func intend() throws -> Int64 {
    try library.catalogue.intend(run: Self.run, firstAccess: 1, audit: Self.position)
  }

  /// Takes a batch through all of its states.
  package func publish(_ staged: StagedBatch = Self.staged) throws {
    let batch = try intend()
    try stage(batch, staged)
    try library.catalogue.stage(batch, staged)
    var publisher = Publisher(library: library)
    try publisher.publish(batch, staged)
    try library.catalogue.publish(batch, staged, run: Self.run)
    try publisher.removeStagingFolder(batch)
    try library.catalogue.finish([batch], run: Self.run, audit: Self.position)
  }

  /// Writes every file of the batch into staging.
  package func stage(_ batch: Int64, _ staged: StagedBatch) throws {
    let folder = try Publisher(library: library).makeStagingFolder(batch)
    func write(_ text: String, _ name: String, in folder: Descriptor) throws {
      let file = try FileSystem.createFile(in: folder, Array(name.utf8))
      try Array(text.utf8).withUnsafeBytes { try file.write($0) }
    }
    for asset in staged.assets {
      for thumbnail in asset.thumbnails {
        try write("thumbnail \(thumbnail.fileName)", thumbnail.stagedName, in: folder)
      }
      if asset.isKnown { continue }
      try FileSystem.makeFolder(in: folder, Array(asset.stagedName.utf8))
      let assetFolder = try FileSystem.openForReading(
        beneath: folder,
        Array(asset.stagedName.utf8),
        crossMounts: true,
        isFolder: true
      )
      for resource in asset.resources {
        try write("content \(resource.fileName)", resource.fileName, in: assetFolder)
      }
    }
  }

  package static let staged: StagedBatch = {
    var still = asset("still", 1, ["photo"])
    still.thumbnails = [thumbnail("grid", "still", 1), thumbnail("preview", "still", 1)]
    let pair = asset("pair", 2, ["photo", "pairedVideo"])
    let sound = asset("sound", 3, ["audio"])
    var existing = asset("known", 4, [])
    existing.isKnown = true
    existing.thumbnails = [thumbnail("grid", "known", 4)]
    return StagedBatch(
      results: [
        result("still.jpg", 1, asset: "still"), result("pair.jpg", 2, asset: "pair"),
        result("pair.mov", 3, asset: "pair"), result("sound.wav", 4, asset: "sound"),
        result("known.jpg", 5, asset: "known"),
      ],
      assets: [still, pair, sound, existing]
    )
  }()

  /// Each rename that publishing makes, in its order: from staging, below the library.
  package static let renames: [(staged: String, published: String)] = staged.assets.flatMap {
    asset in
    asset.thumbnails.map { ($0.stagedName, $0.publishedPath) }
      + (asset.isKnown ? [] : [(asset.stagedName, asset.publishedFolder)])
  }

  package static func asset(_ name: String, _ index: Int, _ roles: [String]) -> StagedAsset {
    asset(name, index, files: roles.map { (ResourceRole(rawValue: $0) ?? .photo, "-\($0).jpg") })
  }

  /// An asset whose files are called by its label and the endings; those that are no media are sidecars.
  package static func asset(
    _ name: String,
    _ index: Int,
    files: [(role: ResourceRole, ending: String)]
  ) -> StagedAsset {
    var asset = StagedAsset(
      localIdentifier: name,
      saveTime: SaveTime(microseconds: 86_399_999_998 + Int64(index)),
      label: name,
      mediaType: .image,
      source: .camera,
      policy: .strip,
      facts: Facts(format: .jpeg),
      stagedName: String(index)
    )
    asset.resources = files.map { role, ending in
      let fileName = name + ending
      let format = ResourceFormat(publishedExtension: fileName.drop { $0 != "." }.dropFirst())
      let content = digest("content \(fileName)")
      return StagedResource(
        role: role,
        fileName: fileName,
        format: format ?? .media(.jpeg),
        bytes: content.bytes,
        sha256: content.sha256,
        sourceDigest: Array(fileName.utf8),
        source: .camera,
        sourcePath: ItemPath(bytes: Array(fileName.utf8))
      )
    }
    return asset
  }

  package static func thumbnail(_ name: String, _ asset: String, _ index: Int) -> StagedThumbnail {
    let fileName = "000000.00000\(index) \(asset).jpg"
    let content = digest("thumbnail \(fileName)")
    return StagedThumbnail(
      name: name,
      fingerprint: "f",
      size: PixelSize(width: 1, height: 1),
      stagedName: "\(index).\(name)",
      date: "1970-01-02",
      fileName: fileName,
      bytes: content.bytes,
      sha256: content.sha256,
      thumbHash: [0xD0, 0x15, 0x0A, 0x0D, 0x82] + [UInt8](repeating: 0x77, count: 16),
      perceptualHash: Int64.min + Int64(index)
    )
  }

  package static func result(_ path: String, _ index: Int, asset: String) -> ItemResult {
    var result = ItemResult(
      item: PlannedItem(
        source: .camera,
        path: ItemPath(bytes: Array(path.utf8)),
        status: FileStatus(kind: .regular, device: 1, inode: UInt64(index) | 1 << 63),
        saveTime: SaveTime(microseconds: 0)
      ),
      outcome: .imported,
      writtenUnder: "strip ",
      policy: .strip
    )
    result.localIdentifier = asset
    return result
  }

  /// By libnettle, while the programs of a run hash with another library.
  private static func digest(_ text: String) -> (bytes: Int64, sha256: String) {
    var digest = SHA256()
    Array(text.utf8).withUnsafeBytes { digest.update($0) }
    return (Int64(text.utf8.count), Hexadecimal.text(digest.finalize()))
  }
}
