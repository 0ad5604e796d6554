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
  /// Gives an asset's main file the facts that are written into it; if it cannot have them, a sidecar has them.
  func embedFacts(of asset: ListedAsset, in files: inout [File]) {
    guard options.includesOriginals, let main = files.first, let original = asset.files.first,
      let facts = facts(of: asset, isConverted: main.originalEnding != nil)
    else { return }
    var problem =
      MediaFormat(rawValue: original.format)?.takesFacts == true
      ? nil : "such a file gets a sidecar"
    // A worker would read the whole of a file of which a part is exported.
    if case .library(let source) = main.content, source.part != nil {
      problem = "it is a part of a motion photo"
    }
    if main.originalEnding != nil { problem = nil }
    if facts.packet.count > EmbeddedFacts.mostPacketBytes { problem = "the facts are too long" }
    let ending = (main.originalEnding ?? main.ending) + ".xmp"
    // A sidecar of the library's own may lie there.
    let isFree =
      !options.writesSidecars && !facts.packet.isEmpty
      && !Self.has(ending, in: files)
    if let problem {
      files[0].besides = problem
      guard isFree else { return }
      files.append(
        File(ending: ending, content: facts.sidecar, mediaType: Self.sidecarType)
      )
      return
    }
    files[0].facts = facts
    files[0].givesPlace = facts.place != nil
    if isFree { files[0].sidecarEnding = ending }
  }

  /// The facts that were asked for, as far as the catalogue has them; private ones are among them if it was read
  /// with them.
  private func facts(of asset: ListedAsset, isConverted: Bool) -> EmbeddedFacts? {
    if options.embeds.isEmpty { return nil }
    var asset = asset
    for fact in ExportedFact.allCases where !options.embeds.contains(fact) {
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
    facts.keepsCopyright = isConverted && options.embeds.contains(.copyright)
    return packet == nil && !facts.keepsCopyright ? nil : facts
  }
}

extension EmbeddedFacts {
  /// A sidecar that has them.
  var sidecar: LibraryExport.File.Content { .sidecar(packet, statesPlace: place != nil) }
}
