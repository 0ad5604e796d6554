internal import MediaLibrary
internal import MediaModel
internal import MediaSyntax

/// A fact of the catalogue that can be written into copies of files.
package enum ExportedFact: String, CaseIterable, Sendable, Hashable {
  case date, place, caption, keywords, rating
  /// The notice and the creator that a file names, which a picture that is made of it gets too: the catalogue does
  /// not have them.
  case copyright
}

extension LibraryExport {
  /// Gives an asset's main file the facts that are written into it, and each of its files how it is turned; if one
  /// cannot have them, a sidecar has them.
  func embedFacts(of asset: ListedAsset, in files: inout [File]) {
    guard options.includesOriginals else { return }
    for index in files.indices where index == 0 || files[index].showsPictures {
      guard let facts = facts(of: asset, files[index], isMain: index == 0) else { continue }
      embed(facts.embedded, else: facts.sidecar, in: &files, at: index)
    }
  }

  private func embed(
    _ facts: EmbeddedFacts,
    else sidecar: File.Content,
    in files: inout [File],
    at index: Int
  ) {
    let file = files[index]
    var problem = file.format?.takesFacts == true ? nil : "such a file gets a sidecar"
    // A worker would read the whole of a file of which a part is exported.
    if case .library(let source) = file.content, source.part != nil {
      problem = "it is a part of a motion photo"
    }
    if file.originalEnding != nil { problem = nil }
    if facts.packet.count > EmbeddedFacts.mostPacketBytes { problem = "the facts are too long" }
    let ending = (file.originalEnding ?? file.ending) + ".xmp"
    // A sidecar of the library's own may lie there.
    let hasOwn = index == 0 && options.writesSidecars || Self.has(ending, in: files)
    let isFree = !hasOwn && (!facts.packet.isEmpty || facts.rotation != 0)
    if let problem {
      files[index].besides = problem
      guard isFree else { return }
      files.append(File(ending: ending, content: sidecar, mediaType: Self.sidecarType))
      return
    }
    files[index].facts = facts
    files[index].givesPlace = facts.place != nil
    if isFree { (files[index].sidecarEnding, files[index].sidecar) = (ending, sidecar) }
  }

  /// The facts that were asked for, as far as the catalogue has them, and the turn of a person; private ones are among
  /// them if it was read with them.
  ///
  /// - Returns: What is written into a file, and the sidecar that has it else; nil where there is nothing to write.
  private func facts(
    of asset: ListedAsset,
    _ file: File,
    isMain: Bool
  ) -> (embedded: EmbeddedFacts, sidecar: File.Content)? {
    let embeds = isMain ? options.embeds : []
    let rotation = asset.shownOrientation == nil ? 0 : asset.rotation
    if embeds.isEmpty, rotation == 0 { return nil }
    var asset = asset
    for fact in ExportedFact.allCases where !embeds.contains(fact) {
      switch fact {
      case .date: asset.facts.creationDate = nil
      case .place: asset.described.place = nil
      case .caption: asset.described.caption = nil
      case .keywords: asset.described.keywords = []
      case .rating: asset.described.rating = nil
      case .copyright: break
      }
    }
    let packet = XMPSidecar.packet(of: asset, title: nil, layout: .embedded)
    var facts = EmbeddedFacts(packet: packet ?? [], place: asset.described.place)
    facts.date = asset.facts.creationDate
    facts.date?.tag = "DateTimeOriginal"
    facts.keepsCopyright = file.originalEnding != nil && embeds.contains(.copyright)
    facts.rotation = rotation
    if packet == nil, !facts.keepsCopyright, rotation == 0 { return nil }
    let beside = XMPSidecar.packet(
      of: asset,
      title: nil,
      orientation: asset.shownOrientation,
      layout: .embedded
    )
    return (facts, .sidecar(beside ?? [], statesPlace: facts.place != nil))
  }
}

extension LibraryExport.File {
  /// Whether it is a picture or a film of the library.
  fileprivate var showsPictures: Bool {
    !isThumbnail && (format?.mediaType == .image || format?.mediaType == .video)
  }
}

extension ListedAsset {
  /// The orientation of its main file with the turn of a person, 1 to 8; nil where nobody turned it, and of sound.
  var shownOrientation: Int? {
    rotation == 0 || mediaType == .audio
      ? nil : Turn.orientation(orientation, rotatedBy: rotation)
  }
}

extension EmbeddedFacts {
  /// A sidecar that has them.
  var sidecar: LibraryExport.File.Content { .sidecar(packet, statesPlace: place != nil) }
}
