internal import MediaFileSystem
package import MediaModel

/// Where a source's own folder lies on a memory card, by the names of the folders above.
package enum MemoryCardPlace: Sendable, Hashable {
  /// No folder above is `DCIM`: the source may hold one.
  case outside
  /// The source is the folder `DCIM`.
  case imageRoot
  /// The source is a folder of `DCIM`.
  case inside

  /// Finds the place of a folder; names are compared without case, as a card's file system does.
  ///
  /// - Parameter path: The absolute path of the folder.
  package init(ofFolder path: [UInt8]) {
    let names = path.split(separator: UInt8.slash)
    if names.last?.isName("dcim") == true {
      self = .imageRoot
    } else {
      self = names.contains { $0.isName("dcim") } ? .inside : .outside
    }
  }
}

extension ListedItems {
  /// Leaves out what a camera keeps beside its media on a memory card: small versions of films (`.THM`,
  /// `.LRV`, `.LRF`, `LRV_….insv`) that are listed too, Canon's catalogues (`.CTG`), and what is in `MISC`.
  ///
  /// Only files beneath a folder `DCIM` are meant, a `MISC` in it or beside it, and Sony's `M4ROOT`. The listing must be in
  /// the order of the paths' bytes; those that stay keep their order. Costs a look at each path, and for a
  /// small version some binary searches.
  ///
  /// - Parameters:
  ///   - root: Where the source's own folder lies.
  ///   - keeps: Whether a file stays whatever it is, such as one that a selection names.
  /// - Returns: The number of files that are not in the listing any more.
  ///
  /// Source: JEITA CP-3461 (DCF), folders and file names; GoPro, "Media file naming conventions"; the names that
  /// cameras of DJI and Insta360 give.
  package mutating func leaveOutCardFiles(
    in root: MemoryCardPlace,
    keeping keeps: (ItemPath) -> Bool
  ) -> Int {
    let cardFiles = indices.filter { index in
      guard status(at: index).kind == .regular, withPath(at: index, Self.mayBeOfCard) else {
        return false
      }
      let path = path(at: index)
      return isCardFile(path, in: root) && !keeps(path)
    }
    if cardFiles.isEmpty { return 0 }
    var leftOut = cardFiles[...]
    var kept = ListedItems()
    for index in indices {
      if leftOut.first == index { leftOut.removeFirst() } else { kept.append(self[index]) }
    }
    self = kept
    return cardFiles.count
  }

  /// A look at the bytes that nearly no file of another kind passes; it takes no memory, as a run asks it of every
  /// file.
  private static func mayBeOfCard(_ path: UnsafeRawBufferPointer) -> Bool {
    if path.count >= 5, path[path.count - 4] == .dot {
      let ending = path[(path.count - 3)...]
      if ending.isName("thm") || ending.isName("lrv") || ending.isName("lrf")
        || ending.isName("ctg")
      {
        return true
      }
    }
    var name = path[...]
    while let slash = name.firstIndex(of: UInt8.slash) {
      let folder = name[..<slash]
      if folder.isName("misc") || folder.isName("m4root") { return true }
      name = name[(slash + 1)...]
    }
    return name.starts(with: "LRV_".utf8)
  }

  private func isCardFile(_ path: ItemPath, in root: MemoryCardPlace) -> Bool {
    let folders = path.folder.split(separator: UInt8.slash)
    if isInMisc(folders, root) || isOfSonyClip(path, folders) { return true }
    guard root != .outside || folders.contains(where: { $0.isName("dcim") }) else { return false }
    switch path.fileExtension {
    case "ctg": return true
    case "thm": return hasMedia(path.stem, beside: path) { $0.mediaType == .video || $0.isRaw }
    case "lrf": return hasMedia(path.stem, beside: path) { $0.mediaType == .video }
    case "lrv", "insv", "mp4":
      return path.largeStems.contains { hasMedia($0, beside: path) { $0.mediaType == .video } }
    default: return false
    }
  }

  /// Whether a file is what a camera of Sony keeps of a film beside the folder `M4ROOT/CLIP`: the small version
  /// `SUB/C0001S03.MP4`, or the picture `THMBNL/C0001T01.JPG`.
  private func isOfSonyClip(_ path: ItemPath, _ folders: [ArraySlice<UInt8>]) -> Bool {
    guard let folder = folders.last, folder.isName("sub") || folder.isName("thmbnl"),
      folders.dropLast().last?.isName("m4root") == true,
      [UInt8(ascii: "S"), UInt8(ascii: "T")].contains(path.stem.dropLast(2).last)
    else { return false }
    let clip = ItemPath(bytes: Array(path.folder.dropLast(folder.count)) + Array("CLIP/".utf8))
    return hasMedia(path.stem.dropLast(3), beside: clip) { $0.mediaType == .video }
  }

  /// Whether a folder `MISC` is among these, directly in `DCIM` or beside one.
  private func isInMisc(_ folders: [ArraySlice<UInt8>], _ root: MemoryCardPlace) -> Bool {
    guard let index = folders.firstIndex(where: { $0.isName("misc") }) else { return false }
    if index == 0 ? root == .imageRoot : folders[index - 1].isName("dcim") { return true }
    let above = folders[..<index].flatMap { $0 + [UInt8.slash] }
    return ["DCIM/", "dcim/"].contains { name in
      !indexes(beginningWith: above + name.utf8, limit: 1).isEmpty
    }
  }

  /// Whether the folder of a file has media with a stem.
  private func hasMedia(
    _ stem: some Sequence<UInt8>,
    beside path: ItemPath,
    _ isMeant: (MediaFormat) -> Bool
  ) -> Bool {
    let stem = Array(stem)
    let wanted = ItemPath(bytes: Array(path.folder)).appending(stem)
    let names = indexes(beginningWith: wanted.bytes + [UInt8.dot], limit: 64)
    return names.contains { index in
      let other = self.path(at: index)
      return other.stem.elementsEqual(stem)
        && MediaFormat(fileExtension: other.fileExtension).map(isMeant) == true
    }
  }
}

extension ItemPath {
  /// The stems that the film of a small version may have: of a GoPro its own, and that of newer cameras, where
  /// `GX010001.MP4` or `GH010001.MP4` has `GL010001.LRV`; of an Insta360 `VID_20240101_101010_00_001` or `…_10_001`
  /// for `LRV_20240101_101010_01_001`, whose second last number is that of a lens or of both.
  fileprivate var largeStems: [[UInt8]] {
    let own = Array(stem)
    let others = fileExtension == "lrv" ? [own] : []
    guard own.starts(with: "LRV_".utf8) else {
      guard own.starts(with: "GL".utf8), !others.isEmpty else { return others }
      return [own, Array("GX".utf8) + own.dropFirst(2), Array("GH".utf8) + own.dropFirst(2)]
    }
    var parts = own.split(separator: UInt8.underscore, omittingEmptySubsequences: false)
      .map(Array.init)
    guard parts.count >= 5, parts[parts.count - 2].count == 2 else { return others }
    parts[0] = Array("VID".utf8)
    return ["00", "10"].map { lens in
      parts[parts.count - 2] = Array(lens.utf8)
      return Array(parts.joined(separator: [UInt8.underscore]))
    }
  }
}

extension Collection<UInt8> {
  /// Whether this is a name of ASCII letters, given in lower case.
  fileprivate func isName(_ name: StaticString) -> Bool {
    count == name.utf8CodeUnitCount
      && name.withUTF8Buffer { name in zip(self, name).allSatisfy { $0 | 0x20 == $1 } }
  }
}
