internal import MediaModel
internal import MediaPicking

/// The candidates of a Google Takeout, and what its JSON files say of them.
struct TakeoutCandidates {
  /// The candidates in the order of their first files' paths.
  private(set) var candidates: [PickCandidate]
  /// The JSON files that may tell something of a candidate: first those that may be of an album, then those that
  /// are named after a picture, each in the order of their paths' bytes.
  let sidecars: [ItemPath]

  /// A candidate that a JSON file describes, and whether the JSON file is named after it.
  private struct Described {
    var index: Int
    var isOwner: Bool
  }

  private let described: [ItemPath: [Described]]
  /// The candidates of each folder of the export, until its album is known.
  private var folders: [ItemPath: [Int]]
  private let showsHidden: Bool
  private let showsOthers: Bool
  private var leftOut: Set<Int> = []
  /// What is told of those that are shown.
  private var standings: [Int: Standing] = [:]

  /// Finds the JSON files of candidates by their names, among those of one folder of the export, whichever of its
  /// archives they lie in.
  ///
  /// - Parameters:
  ///   - candidates: All of the source, in any order.
  ///   - showsHidden: Whether hidden pictures stay among them.
  ///   - showsOthers: Whether those of a partner do.
  ///   - sidecars: All of its JSON files, in any order.
  init(
    _ candidates: [PickCandidate],
    showsHidden: Bool = true,
    showsOthers: Bool = true,
    sidecars: [ItemPath]
  ) {
    (self.showsHidden, self.showsOthers) = (showsHidden, showsOthers)
    let ordered = candidates.sorted { $0.files[0] < $1.files[0] }
    var folders: [ItemPath: [Int]] = [:]
    for (index, candidate) in ordered.enumerated() {
      folders[TakeoutNames.folder(of: candidate.files[0]), default: []].append(index)
    }
    var sidecarsByFolder: [ItemPath: [ItemPath]] = [:]
    for path in sidecars.sorted() {
      let folder = TakeoutNames.folder(of: path)
      if folders[folder] != nil { sidecarsByFolder[folder, default: []].append(path) }
    }
    var described: [ItemPath: [Described]] = [:]
    var unpaired: [ItemPath] = []
    for (folder, paths) in sidecarsByFolder {
      let files = (folders[folder] ?? []).flatMap { index in
        ordered[index].files.map { (index: index, name: Array($0.name)) }
      }
      let names = paths.map { Array($0.name) }
      let pairs = TakeoutNames.pairs(sidecars: names, media: files.map(\.name))
      let namesakes = TakeoutNames.namesakes(of: pairs, among: names)
      for pair in pairs {
        let owner = files[pair.owner].index
        let others = Set(pair.others.map { files[$0].index }).subtracting([owner])
        for sidecar in [pair.sidecar] + (namesakes[pair.sidecar] ?? []) {
          described[paths[sidecar]] =
            [Described(index: owner, isOwner: true)]
            + others.map { Described(index: $0, isOwner: false) }
        }
      }
      unpaired += paths.filter { described[$0] == nil }
    }
    self.candidates = ordered
    self.folders = folders
    self.sidecars = unpaired.sorted() + described.keys.sorted()
    self.described = described
  }

  /// Takes what a JSON file says.
  ///
  /// - Parameters:
  ///   - description: What a worker has read.
  ///   - path: The JSON file, one of ``sidecars``.
  mutating func take(_ description: MediaDescription, of path: ItemPath) {
    switch description.subject {
    case .album(let title):
      // An album without a title has its folder's name, and the first JSON file of a folder counts.
      guard !title.isEmpty, described[path] == nil,
        let indexes = folders.removeValue(forKey: TakeoutNames.folder(of: path))
      else { return }
      for index in indexes { candidates[index].albums = [title] }
    case .picture(let text):
      for target in described[path] ?? [] {
        for standing in description.standings {
          let reason = standing.reason(includesHidden: showsHidden, includesOthers: showsOthers)
          if reason == nil { standings[target.index] = standing } else { leftOut.insert(target.index) }
        }
        Self.describe(&candidates[target.index], text, isOwner: target.isOwner)
      }
    case nil: break
    }
  }

  /// Gives pictures that no JSON file describes the standing of one that has their name and size, as copies in albums
  /// are: a run compares them, and here nothing is opened.
  private mutating func noteCopies() {
    if leftOut.isEmpty && standings.isEmpty { return }
    let describedIndexes = Set(described.values.joined().map(\.index))
    let copies = Dictionary(grouping: candidates.indices.filter { candidates[$0].size > 0 }) { index in
      candidates[index].files[0].name + Array("/\(candidates[index].size)".utf8)
    }
    for copies in copies.values where copies.count > 1 {
      let isLeftOut = copies.contains(where: leftOut.contains)
      let standing = copies.lazy.compactMap { [standings] in standings[$0] }.first
      for copy in copies where !describedIndexes.contains(copy) {
        if isLeftOut { leftOut.insert(copy) }
        if let standing { standings[copy] = standing }
      }
    }
  }

  /// Takes out what a run leaves out: what is in the trash, hidden or a partner's; what is shown has the word for it.
  mutating func removeLeftOut() {
    noteCopies()
    for (index, standing) in standings { candidates[index].note(standing) }
    if leftOut.isEmpty { return }
    candidates = candidates.indices.filter { !leftOut.contains($0) }.map { candidates[$0] }
  }

  /// Enters the time, and the title where the file's name is another one.
  ///
  /// - Parameters:
  ///   - candidate: Gets them.
  ///   - text: The seconds since 1970, a space, and the title; see ``SidecarSubject``.
  ///   - isOwner: Whether the JSON file is named after the candidate.
  private static func describe(
    _ candidate: inout PickCandidate,
    _ text: String,
    isOwner: Bool
  ) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    if let seconds = parts.first.flatMap({ Int64($0) }), seconds != 0 {
      let (time, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      // The movie of a live photo may have a JSON file of its own.
      if !isTooLarge, isOwner || candidate.taken == nil { candidate.taken = time }
    }
    guard isOwner, candidate.title == nil, parts.count > 1, !parts[1].isEmpty,
      !parts[1].utf8.elementsEqual(candidate.files[0].name)
    else { return }
    candidate.title = String(parts[1])
  }
}
