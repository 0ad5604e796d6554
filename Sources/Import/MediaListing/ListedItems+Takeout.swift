package import MediaModel

/// The JSON files of a Google Takeout.
extension ListedItems {
  /// Finds the files that each JSON file describes; one that describes none owns itself, and is read alone: it
  /// may be of an album, or of a picture in another folder.
  ///
  /// - Returns: The number of media files that no JSON file describes.
  package mutating func placeTakeoutSidecars() -> Int {
    hasLooseSidecars = true
    var folders: [ItemPath: (sidecars: [Int], files: [Int])] = [:]
    for index in indices where reason(at: index) != .identifierNotFound {
      let path = path(at: index)
      let folder = TakeoutNames.folder(of: path)
      if TakeoutNames.isSidecar(path.name) {
        // One that is not read describes its picture all the same.
        folders[folder, default: ([], [])].sidecars.append(index)
      } else if reason(at: index) == nil, !SidecarName.isSidecar(path) {
        folders[folder, default: ([], [])].files.append(index)
      }
    }
    var bare = 0
    for (sidecars, files) in folders.values {
      let names = sidecars.map { Array(path(at: $0).name) }
      let pairs = TakeoutNames.pairs(sidecars: names, media: files.map { Array(path(at: $0).name) })
      let namesakes = TakeoutNames.namesakes(of: pairs, among: names)
      for sidecar in sidecars where reason(at: sidecar) == nil {
        owners[UInt32(sidecar)] = UInt32(sidecar)
      }
      var described: Set<Int> = []
      for pair in pairs {
        let positions = [pair.owner] + pair.others
        described.formUnion(positions)
        place(
          ([pair.sidecar] + (namesakes[pair.sidecar] ?? [])).map { sidecars[$0] },
          besides: positions.map { files[$0] }
        )
      }
      bare += files.indices.count { position in
        !described.contains(position)
          && MediaFormat(fileExtension: path(at: files[position]).fileExtension) != nil
      }
    }
    for (sidecar, owner) in owners where sidecar != owner {
      sidecarsOfOwners[owner, default: []].append(sidecar)
    }
    return bare
  }

  /// Enters what JSON files of one title describe: each the files that lie beside it, and what lies elsewhere the first;
  /// one without a file beside it belongs to the first file too.
  private mutating func place(_ sidecars: [Int], besides files: [Int]) {
    func folder(_ index: Int) -> [UInt8] { Array(path(at: index).folder) }
    let shares = Dictionary(grouping: files) { file in
      sidecars.count == 1 ? sidecars[0] : sidecars.first { folder($0) == folder(file) } ?? sidecars[0]
    }
    for sidecar in sidecars where reason(at: sidecar) == nil {
      let share = shares[sidecar] ?? []
      owners[UInt32(sidecar)] = UInt32(share.first ?? files[0])
      for other in share.dropFirst() { describing[UInt32(other)] = UInt32(sidecar) }
    }
  }

  /// The JSON files that describe any of some files, among all files of their folders.
  ///
  /// - Parameter isMeant: Tells these files.
  /// - Returns: The paths of the JSON files.
  package func takeoutSidecars(of isMeant: (ItemPath) -> Bool) -> Set<ItemPath> {
    var items = self
    _ = items.placeTakeoutSidecars()
    let owned = items.owners.filter { $0 != $1 }.map { (sidecar: $0, file: $1) }
    let pairs = owned + items.describing.map { (sidecar: $1, file: $0) }
    return Set(pairs.filter { isMeant(path(at: Int($0.file))) }.map { path(at: Int($0.sidecar)) })
  }

  /// The items that folders of a Takeout have as albums: their media, and the JSON files of pictures that lie
  /// in other folders.
  ///
  /// - Parameter folders: Folders within the export, see ``TakeoutNames/folder(of:)``.
  /// - Returns: The paths of each folder that has some, in the order of the listing.
  package func takeoutMembers(of folders: Set<ItemPath>) -> [ItemPath: [ItemPath]] {
    if folders.isEmpty { return [:] }
    var members: [ItemPath: [ItemPath]] = [:]
    for index in indices {
      let path = path(at: index)
      let folder = TakeoutNames.folder(of: path)
      guard folders.contains(folder),
        !isSidecar(at: index) || owners[UInt32(index)] == UInt32(index)
      else { continue }
      members[folder, default: []].append(path)
    }
    return members
  }

  /// The file that the JSON file of an item is named after, if it is another one; nil otherwise.
  package func leader(at index: Int) -> ItemPath? {
    describing[UInt32(index)].flatMap { owners[$0] }.map { path(at: Int($0)) }
  }

  /// The hash of what puts items into one batch.
  package func groupHash(at index: Int) -> Int {
    let own = UInt32(index)
    if !hasLooseSidecars, owners[own] == nil { return path(at: index).pairingHash }
    let leader = owners[own] ?? describing[own].flatMap { owners[$0] } ?? own
    return path(at: Int(leader)).pairingHash
  }
}
