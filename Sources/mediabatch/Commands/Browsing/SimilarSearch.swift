internal import MediaExport
internal import MediaLibrary
internal import MediaModel

/// Groups of pictures and films of a library that look alike.
struct SimilarSearch {
  /// A picture of a group.
  struct Member {
    var picture: ComparedPicture
    /// The bits in which it differs from the best.
    var distance: Int
    /// How it is turned against the best.
    var turn: PictureTurn?
  }

  struct Group {
    /// The best first.
    var members: [Member]
    var isExact: Bool

    /// Why the first is the best.
    var reason: ComparedPicture.Reason? { members[0].picture.reason(over: members[1].picture) }
  }

  let library: [UInt8]
  let reader: CatalogueReader
  /// The pictures among which it is looked.
  let selection: AssetSelection
  let within: Int
  /// Whether turned and mirrored copies are looked for.
  let looksForTurned: Bool
  /// Whether groups have what a person called different.
  let isAgain: Bool
  /// A line for each picture that could not be compared.
  private(set) var failures: [String] = []

  init(
    _ library: [UInt8],
    _ reader: CatalogueReader,
    _ selection: AssetSelection,
    within: Int,
    looksForTurned: Bool,
    isAgain: Bool
  ) {
    (self.library, self.reader, self.selection) = (library, reader, selection)
    (self.within, self.looksForTurned, self.isAgain) = (within, looksForTurned, isAgain)
  }

  /// Finds the groups, those without a difference first.
  mutating func groups() throws -> [Group] {
    let selected = Set(selection.rows)
    var pictures = try reader.comparedPictures().filter { selected.contains($0.row) }
    try makeHashes(of: &pictures)
    let distinguished = isAgain ? [] : try reader.distinguishedAssets()
    var groups: [Group] = []
    for type in [MediaType.image, .video] {
      let ranked = pictures.filter { $0.mediaType == type }.sorted { $0.reason(over: $1) != nil }
      var similar = SimilarPictures(ranked.map { $0.hash ?? .plain })
      if looksForTurned { try addTurned(to: &similar, ranked) }
      let ofType = similar.groups(within: within, distinguished: Self.places(of: distinguished, in: ranked))
      groups += ofType.map { group in
        Group(
          members: group.members.indices.map { index in
            Member(
              picture: ranked[group.members[index]],
              distance: group.distances[index],
              turn: group.turns[index]
            )
          },
          isExact: group.isExact
        )
      }
    }
    return groups.filter(\.isExact) + groups.filter { !$0.isExact }
  }

  /// Calls `body` with each group and its assets, which are read many at a time.
  static func forEach(
    _ groups: [Group],
    of selection: AssetSelection,
    _ reader: CatalogueReader,
    readsThumbnails: Bool = false,
    _ body: (Group, [(member: Member, asset: ListedAsset)]) throws -> Void
  ) throws {
    var members = selection
    members.rows = groups.flatMap { $0.members.map(\.picture.row) }
    var places: [Int64: (group: Int, member: Int)] = [:]
    for (number, group) in groups.enumerated() {
      for (place, member) in group.members.enumerated() { places[member.picture.row] = (number, place) }
    }
    var (current, assets): (Int, [(member: Member, asset: ListedAsset)]) = (0, [])
    func end() throws {
      if !assets.isEmpty { try body(groups[current], assets) }
    }
    try reader.forEachAsset(of: members, readsThumbnails: readsThumbnails) { asset in
      guard let place = places[asset.row] else { return }
      if place.group != current {
        try end()
        (current, assets) = (place.group, [])
      }
      assets.append((groups[place.group].members[place.member], asset))
    }
    try end()
  }

  /// For each picture the places of those that a person called different.
  private static func places(
    of distinguished: [[String]],
    in ranked: [ComparedPicture]
  ) -> [Int: Set<Int>] {
    if distinguished.isEmpty { return [:] }
    let places = Dictionary(ranked.enumerated().map { ($1.localIdentifier, $0) }) { first, _ in first }
    var result: [Int: Set<Int>] = [:]
    for assets in distinguished {
      let all = Set(assets.compactMap { places[$0] })
      for place in all { result[place, default: []].formUnion(all.subtracting([place])) }
    }
    return result
  }

  /// Makes the hashes that no thumbnail has brought.
  private mutating func makeHashes(of pictures: inout [ComparedPicture]) throws {
    let missing = pictures.filter { $0.hash == nil }.map(\.row)
    if missing.isEmpty { return }
    let count = missing.count
    Console.note(
      "\(Quantity.text(count, "picture", "has", "have")) no hash yet, so it is made for this command. A run that makes "
        + "thumbnails stores it."
    )
    let answers = try hashes(of: Dictionary(missing.map { ($0, [0]) }) { first, _ in first })
    for index in pictures.indices where pictures[index].hash == nil {
      pictures[index].hash = answers[pictures[index].row]?[0]
    }
  }

  /// Adds the hashes of pictures that may be turned copies, turned back.
  ///
  /// The stored hash says only nearly what that of the turned picture is, so workers look at those that may be one.
  private mutating func addTurned(
    to similar: inout SimilarPictures,
    _ ranked: [ComparedPicture]
  ) throws {
    let candidates = similar.turnedCandidates(within: within, sizes: ranked.map(\.size))
    var wanted: [Int64: Set<Int>] = [:]
    for candidate in candidates where candidate.turn.readingDegrees != 0 {
      wanted[ranked[candidate.picture].row, default: []].insert(candidate.turn.readingDegrees)
    }
    let answers = try hashes(of: wanted)
    for candidate in candidates {
      let (picture, degrees) = (ranked[candidate.picture], candidate.turn.readingDegrees)
      let read = degrees == 0 ? picture.hash : answers[picture.row]?[degrees]
      guard let hash = read else { continue }
      similar.add(candidate.turn.isMirrored ? hash.transposed : hash, of: candidate)
    }
  }

  /// Has workers make the hashes of assets, each turned by some degrees; notes those of which none can be made.
  private mutating func hashes(
    of wanted: [Int64: Set<Int>]
  ) throws -> [Int64: [Int: PerceptualHash]] {
    if wanted.isEmpty { return [:] }
    var hashes: [Int64: [Int: PerceptualHash]] = [:]
    var problems: [Int64: String] = [:]
    let hashing = try PictureHashing(library, try ExportWorkers()) { answer in
      let asset = answer.asset
      hashes[asset.row, default: [:]][answer.degrees] = answer.hash
      guard let problem = answer.problem else { return }
      let name = "\"\(EscapedText.printable(asset.label))\" (\(asset.localIdentifier))"
      problems[asset.row] =
        answer.degrees == 0
        ? "\(name) has no hash and is left out: \(problem)."
        : "\(name) is not compared with turned copies: \(problem)."
    }
    var assets = selection
    assets.rows = wanted.keys.sorted()
    try reader.forEachAsset(of: assets, readsThumbnails: true) { asset in
      for degrees in wanted[asset.row, default: []].sorted() { try hashing.add(asset, turnedBy: degrees) }
    }
    try hashing.finishAll()
    failures += problems.sorted { $0.key < $1.key }.map(\.value)
    return hashes
  }
}
