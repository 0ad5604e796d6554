internal import MediaFileSystem
package import MediaModel

extension ListedItems {
  /// The owner of a sidecar, and the end of its name in lower case.
  private struct Place: Hashable {
    var owner: Int
    var end: [UInt8]
  }

  /// The most files of one stem that are looked at for a sidecar's owner.
  private static let maximumCandidates = 64

  /// Finds the owner of each sidecar, and leaves out the sidecars that are not read: those without one
  /// owner that is read, and all if the source does not read them.
  ///
  /// Costs a look at each path's end, and for a sidecar a binary search.
  package mutating func placeSidecars(areRead: Bool) {
    // Two sidecars whose names differ in the case of their extensions would have one published name.
    var taken: Set<Place> = []
    for index in indices where isSidecar(at: index) && reason(at: index) == nil {
      let path = path(at: index)
      guard let name = SidecarName(path) else { continue }
      let candidates = candidates(of: name)
      switch name.owner(among: candidates.map { self.path(at: $0) }) {
      case .none: leaveOut(at: index, because: .sidecarOrphaned)
      case .ambiguous: leaveOut(at: index, because: .sidecarAmbiguous)
      case .one(let position):
        let owner = candidates[position]
        if let reason = reason(at: owner) {
          leaveOut(at: index, because: reason == .notFetched ? reason : .sidecarUnused)
        } else if !areRead {
          leaveOut(at: index, because: .sidecar)
        } else if !taken.insert(Place(owner: owner, end: path.lowered(from: name.stem.count)))
          .inserted
        {
          leaveOut(at: index, because: .sidecarAmbiguous)
        } else {
          owners[UInt32(index)] = UInt32(owner)
        }
      }
    }
  }

  package func isSidecar(at index: Int) -> Bool {
    withPath(at: index) { path in
      SidecarName.isSidecar(path) || layout == .takeout && TakeoutNames.isSidecar(path)
    }
  }

  /// The indexes of the files whose names have a sidecar's stem, and then a dot.
  private func candidates(of name: SidecarName) -> [Int] {
    indexes(beginningWith: name.stem + [UInt8(ascii: ".")], limit: Self.maximumCandidates)
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
    if layout == .takeout, let index = index(of: path) {
      let own = sidecarsOfOwners[UInt32(index)] ?? []
      let shared = [describing[UInt32(index)]].compactMap { $0 }
      let packets = candidates(ofFileAt: path).filter {
        SidecarName.isSidecar(self.path(at: $0).bytes)
      }
      return (own + shared).map { self[Int($0)] } + packets.map { self[$0] }
    }
    return candidates(ofFileAt: path).map { self[$0] }
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

extension ItemPath {
  /// The bytes from an offset on, in lower case (ASCII).
  fileprivate func lowered(from offset: Int) -> [UInt8] {
    bytes[offset...].map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// The path of a sidecar that any file of this folder and stem may have.
  fileprivate var asOwnerOfSidecar: ItemPath {
    let path = folder.isEmpty ? Array(stem) : Array(folder) + [UInt8(ascii: "/")] + Array(stem)
    return ItemPath(bytes: path + Array(".xmp".utf8))
  }
}
