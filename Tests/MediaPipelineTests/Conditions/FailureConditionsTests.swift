import MediaFileSystem
import MediaListing
import MediaManifest
import MediaModel
import MediaPredicate
import Testing

@testable import MediaPipeline
@testable import MediaSources

/// A file that failed is read again when anything that its failure depends on is another.
@Suite("What a failure depends on besides the file")
struct FailureConditionsTests {
  private typealias Change = @Sendable (inout PlannedSource, inout Manifest) throws -> Void

  private func manifest() throws -> Manifest {
    let json =
      "{\"version\":1,\"client\":{\"identifier\":\"a.b\"},\"output\":{\"path\":\"L\"},"
      + "\"usageDescriptions\":{\"NSCameraUsageDescription\":\"why\"},"
      + "\"thumbnails\":{\"grid\":{\"size\":[8,8],\"contentMode\":\"aspectFit\"}},"
      + "\"sources\":{\"camera\":{\"path\":\"p\",\"authorizationStatus\":\"authorized\"}}}"
    return try #require(ManifestReader.read(bytes(json)).manifest)
  }

  private func digest(_ change: Change = { _, _ in }) throws -> String {
    var (source, manifest) = (try plannedSource(), try manifest())
    try change(&source, &manifest)
    return FailureConditions.digest(of: source, in: manifest)
  }

  private static let gap: Change = { source, manifest in
    try tracks(&source, &manifest)
    manifest.sources[source.id]?.maximumGap = 61
  }

  private static let tracks: Change = { source, manifest in
    manifest.sources[source.id]?.tracks = [try SelectionPattern("a.gpx")]
  }

  private static let places: Change = { _, manifest in manifest.placeData = "places.txt" }

  private static let predicate: Change = { source, _ in
    source.fetch.predicate = try FetchPredicate(#"camera == "A""#)
  }

  private static let changes: [(name: String, change: Change)] = [
    ("policy", { source, _ in source.policy = .keep }),
    ("media types", { source, _ in source.mediaTypes = [.image] }),
    ("videos", { source, _ in source.captureMode = .photoAndVideo }),
    // The same media types as the one before.
    ("live photos", { source, _ in source.captureMode = .photoAndLivePhoto }),
    ("refused sound", { source, _ in source.audioRefusal = .refuse }),
    ("stills alone", { source, _ in source.audioRefusal = .stillOnly }),
    ("hidden", { source, _ in source.fetch.includesHiddenAssets = false }),
    ("bursts", { source, _ in source.fetch.includesAllBurstAssets = false }),
    ("predicate", predicate),
    ("another predicate", { source, _ in source.fetch.predicate = try FetchPredicate(#"camera == "B""#) }),
    ("thumbnails", { _, manifest in manifest.thumbnails = [] }),
    ("limits", { _, manifest in manifest.limits.frames = 1 }),
    ("damaged", { _, manifest in manifest.acceptsDamaged = true }),
    ("raw", { _, manifest in manifest.rawUnderStrip = .previewOnly }),
    (
      "tracks for a predicate",
      { source, manifest in
        try predicate(&source, &manifest)
        try tracks(&source, &manifest)
      }
    ),
    (
      "another gap for it",
      { source, manifest in
        try predicate(&source, &manifest)
        try gap(&source, &manifest)
      }
    ),
    (
      "names of places for it",
      { source, manifest in
        try predicate(&source, &manifest)
        try places(&source, &manifest)
      }
    ),
  ]

  @Test("Each setting of the worker's job and each rule that leaves an item out makes another digest")
  func differs() throws {
    var names = [try digest(): "nothing"]
    for (name, change) in Self.changes {
      let other = names.updateValue(name, forKey: try digest(change))
      #expect(other == nil, "\(name) is as \(other ?? "")")
    }
  }

  @Test("What no failure depends on makes no file be read again")
  func same() throws {
    let base = try digest()
    for (name, change) in [
      ("selection", { source, _ in source.selection = Selection([try SelectionPattern("*.jpg")]) }),
      ("path", { source, _ in source.path = "elsewhere" }),
      ("a listed predicate", { source, _ in source.fetch.predicate = try FetchPredicate("size > 1") }),
      ("tracks", Self.tracks), ("gap", Self.gap), ("places", Self.places),
      ("library", { _, manifest in manifest.output = "Other" }),
    ] as [(String, Change)] {
      #expect(try digest(change) == base, "\(name)")
    }
  }

  @Test(
    "A limit among what open files tell depends on each file that is listed, one in the order of names on none"
  )
  func limit() throws {
    let manifest = try manifest()
    func listed(_ status: FileStatus = FileStatus(kind: .regular, inode: 1, size: 2), _ path: String = "b")
      -> ListedItems
    {
      ListedItems([
        ListedItem(
          path: ItemPath(bytes: bytes("a")),
          status: FileStatus(kind: .regular, size: 9),
          reason: .hardLinked
        ),
        ListedItem(path: ItemPath(bytes: bytes(path)), status: status),
      ])
    }
    var source = try plannedSource()
    source.fetch.fetchLimit = 1
    let plain = FailureConditions.digest(of: source, in: manifest, listed())
    #expect(plain == FailureConditions.digest(of: source, in: manifest))
    #expect(plain == FailureConditions.digest(of: source, in: manifest, ListedItems()))
    source.fetch.sortDescriptors = [try FetchSortDescriptor("rating")]
    #expect(
      FailureConditions.digestOfKeys(of: source, in: manifest)
        != FailureConditions.digest(of: source, in: manifest)
    )
    var limitOfTwo = source
    limitOfTwo.fetch.fetchLimit = 2
    var digests: Set = [FailureConditions.digest(of: source, in: manifest, listed())]
    #expect(!digests.contains(plain))
    digests.insert(FailureConditions.digest(of: limitOfTwo, in: manifest, listed()))
    for status in [
      FileStatus(kind: .regular, inode: 2, size: 2), FileStatus(kind: .regular, inode: 1, size: 3),
      FileStatus(kind: .regular, inode: 1, size: 2, modified: 1),
      FileStatus(kind: .regular, inode: 1, size: 2, changed: 1),
    ] {
      digests.insert(FailureConditions.digest(of: source, in: manifest, listed(status)))
    }
    digests.insert(
      FailureConditions.digest(
        of: source,
        in: manifest,
        listed(FileStatus(kind: .regular, inode: 1, size: 2), "c")
      )
    )
    #expect(digests.count == 7)
    // What is left out has no place in the order.
    let alone = ListedItems([listed()[1]])
    #expect(digests.contains(FailureConditions.digest(of: source, in: manifest, alone)))
  }
}
