internal import MediaFileSystem
package import MediaModel

extension ListedItems {
  /// The owner of a sidecar, and what tells it from the owner's other sidecars.
  private struct Place: Hashable {
    var owner: Int
    var end: [UInt8]
  }

  /// A folder, and the text of a stem: two stems are equal that are one text in NFC and in NFD.
  private struct Spelling: Hashable {
    var folder: ArraySlice<UInt8>
    var stem: String

    /// Nil for a stem that has but one spelling, or is no text.
    init?(folder: ArraySlice<UInt8>, stem: ArraySlice<UInt8>) {
      guard stem.contains(where: { $0 >= 0x80 }),
        let text = String(validating: stem, as: UTF8.self)
      else { return nil }
      (self.folder, self.stem) = (folder, text)
    }

    init?(of name: SidecarName) {
      let path = ItemPath(bytes: Array(name.stem))
      self.init(folder: path.folder, stem: path.name)
    }
  }

  /// The most files of one stem that are looked at for a sidecar's owner.
  private static let maximumCandidates = 64

  /// Finds the owner of each sidecar, and leaves out the sidecars that are not read: those without one
  /// owner that is read, and all if the source does not read them.
  ///
  /// Costs a look at each path's end, and for a sidecar a binary search; once a look at each path where a sidecar
  /// with a stem beyond ASCII has no owner with the same bytes.
  ///
  /// - Parameters:
  ///   - areRead: Whether the source reads sidecars.
  ///   - keepsClipFiles: Whether files of which nothing is read are published beside their films.
  package mutating func placeSidecars(areRead: Bool, keepsClipFiles: Bool = true) {
    // Two sidecars whose names differ in the case of their extensions would have one published name.
    var taken: Set<Place> = []
    var loose: [(index: Int, name: SidecarName)] = []
    func isRead(_ name: SidecarName) -> Bool {
      areRead && (keepsClipFiles || !name.format.isClipFile)
    }
    for index in indices where isSidecar(at: index) && reason(at: index) == nil {
      guard let name = SidecarName(path(at: index)) else { continue }
      let candidates = candidates(of: name)
      let owner = name.owner(among: candidates.map { self.path(at: $0) })
      if owner == .none {
        loose.append((index, name))
      } else {
        assign(index, name, owner, candidates, isRead: isRead(name), &taken)
      }
    }
    if loose.isEmpty { return }
    let spellings = spellings(of: loose.map(\.name))
    for (index, own) in loose {
      var match = (name: own, owner: SidecarName.Owner.none, candidates: [Int]())
      for name in [own, own.marked].compactMap({ $0 }) where match.owner == .none {
        let others = Spelling(of: name).flatMap { spellings[$0] } ?? []
        for candidates in [candidates(of: name), others] where match.owner == .none {
          match = (name, name.owner(among: candidates.map { self.path(at: $0) }), candidates)
        }
      }
      assign(index, match.name, match.owner, match.candidates, isRead: isRead(own), &taken)
    }
  }

  /// Enters the owner of a sidecar, or why it has none that is read.
  private mutating func assign(
    _ index: Int,
    _ name: SidecarName,
    _ owner: SidecarName.Owner,
    _ candidates: [Int],
    isRead: Bool,
    _ taken: inout Set<Place>
  ) {
    guard case .one(let position) = owner else {
      if owner == .ambiguous, isRead, name.format == .xmp {
        return placeUndecided(index, name, candidates, &taken)
      }
      return leaveOut(at: index, because: owner == .none ? .sidecarOrphaned : .sidecarAmbiguous)
    }
    let owner = candidates[position]
    if let reason = reason(at: owner) {
      leaveOut(at: index, because: reason == .notFetched ? reason : .sidecarUnused)
    } else if !isRead {
      leaveOut(at: index, because: .sidecar)
    } else if !taken.insert(Place(owner: owner, end: name.lowered)).inserted {
      leaveOut(at: index, because: .sidecarAmbiguous)
    } else {
      owners[UInt32(index)] = UInt32(owner)
      let media = path(at: owner)
      let stem = media.bytes.dropLast(media.name.count - media.stem.count - 1)
      if !withPath(at: index, { $0.starts(with: stem) }) {
        sidecarsOfOwners[UInt32(owner), default: []].append(UInt32(index))
      }
    }
  }

  /// Enters the files of which an XMP sidecar may say that it belongs to one: the first owns it as long as it is
  /// not read.
  private mutating func placeUndecided(
    _ index: Int,
    _ name: SidecarName,
    _ candidates: [Int],
    _ taken: inout Set<Place>
  ) {
    let files = candidates.filter { candidate in
      reason(at: candidate) == nil && describing[UInt32(candidate)] == nil
        && name.owner(among: [path(at: candidate)]) == .one(0)
    }
    guard let owner = files.first, taken.insert(Place(owner: owner, end: name.lowered)).inserted
    else { return leaveOut(at: index, because: .sidecarAmbiguous) }
    owners[UInt32(index)] = UInt32(owner)
    undecided.insert(UInt32(index))
    for file in files.dropFirst() { describing[UInt32(file)] = UInt32(index) }
  }

  /// Whether a sidecar itself says to which of several files it belongs.
  package func isUndecided(at index: Int) -> Bool { undecided.contains(UInt32(index)) }

  /// The media in the folders of sidecars, by the texts of their stems; those whose stems have one spelling are
  /// left out, and those of one text beyond ``maximumCandidates``.
  private func spellings(of sidecars: [SidecarName]) -> [Spelling: [Int]] {
    let folders = Set(sidecars.compactMap { Spelling(of: $0)?.folder })
    var spellings: [Spelling: [Int]] = [:]
    for index in folders.isEmpty ? 0..<0 : indices
    where withPath(at: index, { $0.contains { $0 >= 0x80 } }) && !isSidecar(at: index) {
      let path = path(at: index)
      guard folders.contains(path.folder),
        let spelling = Spelling(folder: path.folder, stem: path.stem)
      else { continue }
      if spellings[spelling, default: []].count < Self.maximumCandidates {
        spellings[spelling, default: []].append(index)
      }
    }
    return spellings
  }

  /// Whether an item is a sidecar by its name; a clip file is one where its film is listed.
  package func isSidecar(at index: Int) -> Bool {
    guard let format = withPath(at: index, SidecarName.format) else {
      return hasLooseSidecars && withPath(at: index, TakeoutNames.isSidecar)
    }
    guard format.isClipFile, let name = SidecarName(path(at: index)) else { return true }
    return name.owner(among: candidates(of: name).map { path(at: $0) }) != .none
  }

  /// The indexes of the files whose names have a sidecar's stem, and then a dot.
  private func candidates(of name: SidecarName) -> [Int] {
    indexes(beginningWith: name.stem + [UInt8.dot], limit: Self.maximumCandidates)
  }

  /// The items that have to be read again because of sidecars: the unchanged file of one that is new or
  /// has changed, with its movie and its other sidecars; and the unchanged sidecars of a file that is
  /// read.
  ///
  /// - Parameters:
  ///   - isUnchanged: Whether an item is not read.
  ///   - isNews: Whether a sidecar is read that was not read before as it is.
  /// - Returns: Indexes of unchanged items.
  package func readAgain(
    isUnchanged: (_ index: Int) -> Bool,
    isNews: (_ index: Int) -> Bool
  ) -> Set<Int> {
    var again: Set<Int> = []
    for (sidecar, owner) in owners where isUnchanged(Int(owner)) && isNews(Int(sidecar)) {
      again.insert(Int(owner))
      again.formUnion(companions(of: Int(owner)).filter(isUnchanged))
    }
    for (other, sidecar) in describing where isUnchanged(Int(other)) && isNews(Int(sidecar)) {
      again.insert(Int(other))
    }
    for (other, sidecar) in describing where isUnchanged(Int(sidecar)) {
      if again.contains(Int(other)) || !isUnchanged(Int(other)) { again.insert(Int(sidecar)) }
    }
    for (sidecar, owner) in owners where isUnchanged(Int(sidecar)) {
      if again.contains(Int(owner)) || !isUnchanged(Int(owner)) { again.insert(Int(sidecar)) }
    }
    return again
  }

  /// The other media of an item's folder and stem.
  private func companions(of index: Int) -> [Int] {
    let path = path(at: index)
    guard let name = SidecarName(path.asOwnerOfSidecar) else { return [] }
    return candidates(of: name).filter { other in
      other != index && MediaFormat(fileExtension: self.path(at: other).fileExtension) != nil
    }
  }

  /// The items that are sidecars of the file at a path.
  package func sidecars(of path: ItemPath) -> [ListedItem] {
    if owners.isEmpty { return [] }
    if hasLooseSidecars, let index = index(of: path) {
      let own = sidecarsOfOwners[UInt32(index)] ?? []
      let shared = [describing[UInt32(index)]].compactMap { $0 }
      let packets = candidates(ofFileAt: path).filter { SidecarName(self.path(at: $0)) != nil }
      return (own + shared).map { self[Int($0)] } + packets.map { self[$0] }
    }
    let others = sidecarsOfOwners.isEmpty ? nil : index(of: path)
    return candidates(ofFileAt: path).map { self[$0] }
      + (others.flatMap { sidecarsOfOwners[UInt32($0)] } ?? []).map { self[Int($0)] }
  }

  /// The indexes of the sidecars whose names begin with the stem of a file, and which belong to it.
  private func candidates(ofFileAt path: ItemPath) -> [Int] {
    guard let name = SidecarName(path.asOwnerOfSidecar) else { return [] }
    return candidates(of: name).filter { index in
      owners[UInt32(index)].map { self.path(at: Int($0)) == path } ?? false
    }
  }

  /// The path of the file that a sidecar belongs to; nil for any other item.
  package func owner(at index: Int) -> ItemPath? {
    owners[UInt32(index)].map { path(at: Int($0)) }
  }
}

extension SidecarName {
  /// What tells it from its owner's other sidecars; the owner's extension in lower case (ASCII).
  fileprivate var lowered: [UInt8] {
    let owner = (ownerExtension ?? []).map(\.asciiLowercased)
    return Array(mark) + [UInt8.dot] + owner + format.rawValue.utf8
  }
}

extension ItemPath {
  /// The path of a sidecar that any file of this folder and stem may have.
  fileprivate var asOwnerOfSidecar: ItemPath {
    let path = folder.isEmpty ? Array(stem) : Array(folder) + [UInt8.slash] + Array(stem)
    return ItemPath(bytes: path + Array(".xmp".utf8))
  }
}
