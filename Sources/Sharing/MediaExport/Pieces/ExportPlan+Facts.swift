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

extension ExportPlan {
  /// Gives an asset's main file the facts that are written into it, and each of its files how it is turned; if one
  /// cannot have them, a sidecar has them.
  func embedFacts(of asset: ExportedAsset, in pieces: inout [ExportPiece]) {
    guard options.includesOriginals else { return }
    for index in pieces.indices where index == 0 || pieces[index].showsPictures {
      let piece = pieces[index]
      guard let (facts, beside) = facts(of: asset.listed, piece, isMain: index == 0) else {
        continue
      }
      var unconverted = piece.fallback.first ?? piece
      let ending = unconverted.ending + ".xmp"
      // A sidecar of the library's own may lie there.
      let hasOwn =
        index == 0 && options.writesSidecars || Self.index(of: ending, in: pieces) != nil
      let isFree = !hasOwn && (!facts.packet.isEmpty || facts.rotation != 0)
      if let problem = Self.problem(of: facts, in: piece) {
        if !piece.isConverted { pieces[index].shortfalls = [(.besides, problem)] }
        if isFree { add(packet(beside, beside: piece, ending), beside: index, to: &pieces) }
        continue
      }
      if isFree { unconverted.sidecar = [packet(beside, beside: piece, ending, isDated: false)] }
      switch piece.making {
      case .jpeg: (pieces[index].facts, pieces[index].fallback) = (facts, [unconverted])
      case .film:
        // One that is not converted is turned all the same.
        pieces[index].facts = facts
        pieces[index].fallback = [
          unconverted.instead(asset.policy == nil ? .embedded : .stripped, facts: facts)
        ]
      case .stripped: pieces[index] = unconverted.instead(.stripped, facts: facts)
      default: pieces[index] = unconverted.instead(.embedded, facts: facts)
      }
    }
  }

  /// Why facts are not written into a piece; nil where they are.
  private static func problem(of facts: EmbeddedFacts, in piece: ExportPiece) -> String? {
    if facts.packet.count > EmbeddedFacts.mostPacketBytes { return "the facts are too long" }
    if piece.isConverted { return nil }
    // A worker would read the whole of a file of which a part is exported.
    if piece.source.part != nil { return "it is a part of a motion photo" }
    return piece.format?.takesFacts == true ? nil : "a sidecar is made for such a file"
  }

  /// The facts that were asked for, as far as the catalogue has them, and the turn of a person; private ones are among
  /// them if it was read with them.
  ///
  /// - Returns: What is written into a file, and the sidecar that has it else; nil where there is nothing to write.
  private func facts(
    of asset: ListedAsset,
    _ piece: ExportPiece,
    isMain: Bool
  ) -> (embedded: EmbeddedFacts, beside: EmbeddedFacts)? {
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
    if let people { asset.described.removeNames(of: people) }
    let packet = XMPSidecar.packet(of: asset, title: nil, layout: .embedded)
    var facts = EmbeddedFacts(packet: packet ?? [], place: asset.described.place)
    facts.date = asset.facts.creationDate
    facts.date?.tag = "DateTimeOriginal"
    facts.keepsCopyright = piece.isConverted && embeds.contains(.copyright)
    facts.rotation = rotation
    if packet == nil, !facts.keepsCopyright, rotation == 0 { return nil }
    let beside = XMPSidecar.packet(
      of: asset,
      title: nil,
      orientation: asset.shownOrientation,
      layout: .embedded
    )
    return (facts, EmbeddedFacts(packet: beside ?? [], place: facts.place))
  }
}

extension ExportPiece {
  /// Whether it is a picture or a film of the library.
  fileprivate var showsPictures: Bool {
    format?.mediaType == .image || format?.mediaType == .video
  }
}

extension ListedAsset {
  /// The orientation of its main file with the turn of a person, 1 to 8; nil where nobody turned it, and of sound.
  var shownOrientation: Int? {
    rotation == 0 || mediaType == .audio
      ? nil : Turn.orientation(orientation, rotatedBy: rotation)
  }
}
