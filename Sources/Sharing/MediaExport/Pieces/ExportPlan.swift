internal import MediaLibrary
internal import MediaModel

/// Which pieces an export makes of an asset.
struct ExportPlan {
  /// The type of an XMP packet. Source: RFC 3870; ISO 16684-1, section 7.
  static let sidecarType = "application/rdf+xml"

  let options: ExportOptions
  /// Whether assets come with what stripping took out of their files.
  let readsPrivateFacts: Bool
  /// The settings of the thumbnails that are asked for, in their order; nil where nothing is to be made.
  let specs: [ThumbnailSpec?]
  /// The people whose names are taken out of keywords; nil for none.
  var people: KnownPeople?

  /// - Parameters:
  ///   - units: The assets whose files share a name, as ``NamedGroup`` has them.
  ///   - name: The name of the group.
  /// - Returns: The pieces of each asset, in the order in which they are made.
  func pieces(of units: [[ExportedAsset]], named name: String) -> [[[ExportPiece]]] {
    units.map { pieces(of: $0, named: name) }
  }

  /// The pieces of each of some assets whose files share a name.
  func pieces(of assets: [ExportedAsset], named name: String) -> [[ExportPiece]] {
    var pieces = assets.map { asset in
      (options.includesOriginals ? originals(of: asset) : []) + thumbnails(of: asset)
    }
    Self.makeDistinct(&pieces)
    Self.bindSidecars(in: &pieces, named: name)
    for (index, asset) in assets.enumerated() {
      embedFacts(of: asset, in: &pieces[index])
      addSidecar(of: asset, to: &pieces[index])
    }
    Self.attachSidecars(in: &pieces, named: name)
    return pieces
  }

  // MARK: - Originals

  private func originals(of asset: ExportedAsset) -> [ExportPiece] {
    var pieces: [ExportPiece] = []
    // Nothing of a sidecar is kept by a policy that strips.
    let files = asset.listed.files.filter { asset.policy == nil || MediaFormat(rawValue: $0.format) != nil }
    for (index, file) in files.enumerated() {
      var piece = ExportPiece(
        of: asset,
        ExportFolder.Source(file),
        ending: ending(of: file, of: asset.listed),
        about: about(asset.listed, Self.mediaType(of: file))
      )
      piece.format = MediaFormat(rawValue: file.format)
      if asset.policy != nil { piece.making = .stripped }
      let movie = index == 0 && options.motion != .keep ? movie(of: &piece) : nil
      if let quality = options.jpegQuality, Self.isConverted(file, of: asset.listed) {
        piece = Self.converted(piece, .jpeg(quality: quality), to: .jpeg)
      }
      if let height = options.filmHeight, piece.source.part == nil, FilmConversion.concerns(file) {
        piece = Self.converted(piece, .film(height: height), to: .mp4)
      }
      pieces.append(piece)
      if options.motion == .split, let movie { pieces.append(movie) }
    }
    return pieces
  }

  /// Takes the movie out of a motion photo's main file, which then is its still; a picture that needs bytes behind
  /// the movie stays whole.
  ///
  /// - Returns: The movie; nil of what is no motion photo.
  private func movie(of piece: inout ExportPiece) -> ExportPiece? {
    let movie = piece.asset.listed.facts.embeddedMovie
    guard let source = piece.source.movie(movie) else { return nil }
    // Stripping takes the movie out anyway.
    if piece.asset.policy == nil { piece.source.part = movie?.stillLength.map { 0..<Int64($0) } }
    var film = ExportPiece(
      piece.making,
      of: piece.asset,
      source,
      ending: "." + MediaFormat.mp4.fileExtension,
      about: about(piece.asset.listed, MediaFormat.mp4.mediaTypeName)
    )
    film.format = .mp4
    return film
  }

  /// Whether a file becomes a JPEG: a picture that is none already, and does not move.
  private static func isConverted(_ file: ListedAsset.File, of asset: ListedAsset) -> Bool {
    guard let format = MediaFormat(rawValue: file.format) else { return false }
    return format.mediaType == .image && format != .jpeg && !asset.isAnimated
  }

  private static func converted(
    _ piece: ExportPiece,
    _ making: ExportPiece.Making,
    to format: MediaFormat
  ) -> ExportPiece {
    var converted = piece.instead(making)
    converted.ending = withoutExtension(piece.ending) + "." + format.fileExtension
    converted.about.mediaType = format.mediaTypeName
    return converted
  }

  private static func mediaType(of file: ListedAsset.File) -> String? {
    if let format = MediaFormat(rawValue: file.format) { return format.mediaTypeName }
    return file.format == "xmp" ? sidecarType : nil
  }

  /// What a crate says of a file.
  func about(
    _ asset: ListedAsset,
    _ mediaType: String?,
    isDated: Bool = true
  ) -> Crate.About {
    let tells = options.crate != nil && isDated && !options.isNeutral && !knowsMore(of: asset)
    let created = tells ? XMPSidecar.date(of: asset) : nil
    return Crate.About(mediaType: mediaType, created: created, run: asset.run)
  }

  /// Whether the catalogue was read with what stripping took out of an asset's files, which nothing here may
  /// tell.
  private func knowsMore(of asset: ListedAsset) -> Bool {
    readsPrivateFacts && asset.policy != MetadataPolicy.keep.rawValue
  }

  // MARK: - Thumbnails

  /// The thumbnails of an asset that the library has or that can be made.
  private func thumbnails(of asset: ExportedAsset) -> [ExportPiece] {
    let isAlone = !options.includesOriginals && options.thumbnails.count == 1
    let listed = asset.listed
    let original = listed.mainFile.map { ExportFolder.Source($0) }
    return zip(options.thumbnails, specs).compactMap { wanted, spec in
      let stored = listed.thumbnails.first { wanted.isServed(by: $0, of: listed) }
        .map { ExportFolder.Source($0) }
      var spec = spec.flatMap { $0.accepts(listed.mediaType) ? $0 : nil }
      let format = stored.flatMap { stored in
        ThumbnailFormat.allCases.first { $0.fileExtension == stored.fileExtension }
      }
      guard let format = format ?? spec?.format, let source = stored ?? original else { return nil }
      // In the place of one that is damaged comes one of its format.
      spec?.format = format
      var piece = ExportPiece(
        of: asset,
        source,
        ending: (isAlone ? "" : " (\(wanted.name))") + "." + format.fileExtension,
        about: about(listed, MediaFormat(format).mediaTypeName, isDated: false)
      )
      piece.isThumbnail = true
      guard let spec, let original else { return stored == nil ? nil : piece }
      var made = piece
      (made.making, made.source) = (.thumbnail(spec), original)
      if stored == nil { return made }
      piece.fallback = [made]
      return piece
    }
  }

  // MARK: - Sidecars

  /// Adds a sidecar, or another one beside a picture that cannot be converted; one of the library's own, which a person
  /// or a program wrote, gets what it lacks.
  private func addSidecar(of asset: ExportedAsset, to pieces: inout [ExportPiece]) {
    guard options.writesSidecars, let main = pieces.first else { return }
    let turned = facts(beside: asset.listed, isTurned: true)
    guard let facts = main.isConverted ? facts(beside: asset.listed, isTurned: false) : turned else {
      return
    }
    let ending = main.ending + ".xmp"
    if let index = Self.index(of: ending, in: pieces) {
      guard pieces[index].making == .copy, pieces[index].about.mediaType == Self.sidecarType else {
        return
      }
      if facts.packet.count > EmbeddedFacts.mostPacketBytes {
        pieces[index].shortfalls = [(.notCompleted, "the facts are too long")]
      } else {
        let added = EmbeddedFacts(packet: facts.packet)
        pieces[index] = pieces[index].instead(.completed, facts: added)
        // The packet may give it a place.
        if facts.place != nil { pieces[index].source.statesPlace = true }
      }
      return
    }
    let packet = self.packet(facts, beside: main, ending)
    guard let original = main.fallback.first, main.isConverted else {
      add(packet, beside: 0, to: &pieces)
      return
    }
    // It is named after what becomes of the picture.
    pieces[0].sidecar = [packet]
    let endingBesideOriginal = original.ending + ".xmp"
    if Self.index(of: endingBesideOriginal, in: pieces) == nil {
      let beside = self.packet(turned ?? facts, beside: main, endingBesideOriginal, isDated: false)
      pieces[0].fallback[0].sidecar = [beside]
    }
  }

  /// Adds a packet, beside its piece where that may be left out.
  func add(_ packet: ExportPiece, beside index: Int, to pieces: inout [ExportPiece]) {
    if packet.asset.policy == nil {
      pieces.append(packet)
    } else {
      pieces[index] = pieces[index].with(packet)
    }
  }

  /// A sidecar with facts.
  func packet(
    _ facts: EmbeddedFacts,
    beside main: ExportPiece,
    _ ending: String,
    isDated: Bool = true
  ) -> ExportPiece {
    ExportPiece(
      .packet,
      of: main.asset,
      main.source,
      ending: ending,
      about: about(main.asset.listed, Self.sidecarType, isDated: isDated),
      facts: facts
    )
  }

  /// What the library knows of an asset, with the turn where that is asked for; nil for nothing.
  private func facts(beside asset: ListedAsset, isTurned: Bool) -> EmbeddedFacts? {
    var asset = asset
    // Private facts have what stripping took out of the file, and the packet goes with it.
    if knowsMore(of: asset) {
      (asset.facts.creationDate, asset.described) = (nil, MediaDescription())
    }
    if let people { asset.described.removeNames(of: people) }
    return XMPSidecar.packet(
      of: asset,
      title: options.isNeutral || options.policy != nil ? nil : asset.label,
      orientation: isTurned ? asset.shownOrientation : nil
    ).map { EmbeddedFacts(packet: $0, place: asset.described.place) }
  }

  // MARK: - Endings

  /// The piece that has this ending, in a folder that may ignore the case of letters.
  static func index(of ending: String, in pieces: [ExportPiece]) -> Int? {
    pieces.firstIndex { $0.ending.lowercased() == ending.lowercased() }
  }

  /// The text behind the label in the name of one of an asset's files, with the extension of the source if that is
  /// wanted; a sidecar that is named after another file follows it.
  private func ending(of file: ListedAsset.File, of asset: ListedAsset) -> String {
    let ending = Self.ending(of: ExportFolder.Source(file), behind: asset.label)
    guard options.keepsExtensions else { return ending }
    if MediaFormat(rawValue: file.format) != nil {
      return file.sourceExtension.map { Self.withoutExtension(ending) + "." + $0 } ?? ending
    }
    for media in asset.files {
      guard let format = MediaFormat(rawValue: media.format), let sourceExtension = media.sourceExtension,
        ending.holds(".\(format.fileExtension).")
      else { continue }
      return ending.substituting(".\(format.fileExtension).", by: ".\(sourceExtension).")
    }
    return ending
  }

  /// The text behind the label in the name of a library's file, such as ` (adjustmentData).aae`.
  private static func ending(of source: ExportFolder.Source, behind label: String) -> String {
    let name = String(decoding: ItemPath(bytes: source.path).name, as: UTF8.self)
    return name.hasPrefix(label)
      ? String(name.dropFirst(label.count)) : "." + source.fileExtension
  }

  static func withoutExtension(_ ending: String) -> String {
    ending.lastIndex(of: ".").map { String(ending[..<$0]) } ?? ending
  }

  /// Numbers the endings of assets that share a name, where they differ in the case of letters alone; the library's own
  /// sidecars get theirs behind them.
  private static func makeDistinct(_ pieces: inout [[ExportPiece]]) {
    // The endings of the library's own files are those of an export without conversion.
    let converted = pieces.joined().filter(\.isConverted)
    var seen = Set(converted.flatMap(\.fallback).map { $0.ending.lowercased() })
    // A film in MP4 has the same one, converted or not.
    for piece in converted where piece.ending == piece.fallback.first?.ending {
      if case .film = piece.making { seen.remove(piece.ending.lowercased()) }
    }
    for asset in pieces.indices {
      for index in pieces[asset].indices where !pieces[asset][index].isOwnSidecar {
        makeDistinct(&pieces[asset][index], &seen)
      }
    }
  }

  private static func makeDistinct(_ piece: inout ExportPiece, _ seen: inout Set<String>) {
    let ending = piece.ending
    var number = 1
    while !seen.insert(piece.ending.lowercased()).inserted {
      number += 1
      piece.ending = " (\(number))" + ending
    }
    // A thumbnail that is made has the place of the one that is damaged.
    if number > 1, !piece.isConverted {
      for fallback in piece.fallback.indices { piece.fallback[fallback].ending = piece.ending }
    }
  }
}
