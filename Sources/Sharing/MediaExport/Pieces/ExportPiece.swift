internal import MediaDigest
internal import MediaLibrary
internal import MediaModel
internal import MediaWorkerPool

/// An asset of which files are made, shared by all of them.
final class ExportedAsset {
  /// What is known of it; of a stripped one, what its copies may tell.
  let listed: ListedAsset
  /// The policy by which its copies are stripped; nil where they are the library's files.
  let policy: MetadataPolicy?
  /// Whether the names of its files tell what the source's file was called.
  let tellsOriginalName: Bool
  /// What the paths of its files begin with; their endings follow.
  var start = ""
  /// Whether a file of it is in the folder.
  var isThere = false

  init(_ listed: ListedAsset, strippedBy policy: MetadataPolicy? = nil, tellsOriginalName: Bool = false) {
    self.listed = policy.map(listed.stripped) ?? listed
    (self.policy, self.tellsOriginalName) = (policy, tellsOriginalName)
  }
}

/// A file of a folder that is made from a library: how it is made, where it lies, what is told of it, and what stands
/// in its place where it cannot be made.
struct ExportPiece {
  /// How a file is made; all but the first two and thumbnails of the library need a worker.
  enum Making: Hashable {
    /// It is the library's, or a part of that.
    case copy
    /// It is the packet of its facts.
    case packet
    /// A picture is converted, with its facts. The quality is 1 to 100.
    case jpeg(quality: Int)
    /// A film is converted unless browsers play it; of its facts it gets the turn. The height is the most pixels of the
    /// shorter side.
    case film(height: Int)
    /// Its facts are written into a copy.
    case embedded
    /// A sidecar of the library gets what it lacks of its facts.
    case completed
    /// A thumbnail is made of an original.
    case thumbnail(ThumbnailSpec)
    /// It is stripped, with its facts where it has any.
    case stripped
  }

  /// What is told of a file that is not as it was asked for.
  enum Shortfall: Hashable {
    /// It was to be converted.
    case notConverted
    /// It was to have facts, which are in a sidecar.
    case besides
    /// It is a sidecar that was to get what it lacks.
    case notCompleted
  }

  let asset: ExportedAsset
  var making: Making
  /// The text behind the start that all files of the asset share.
  var ending: String
  /// The library's file of which it is made; of a packet, the asset's main one.
  var source: ExportFolder.Source
  /// The format of the library's file; nil of one that is none of media, and of thumbnails.
  var format: MediaFormat?
  var isThumbnail = false
  /// What a crate says of it.
  var about: Crate.About
  /// The facts that it gets; nil for none.
  var facts: EmbeddedFacts?
  /// What stripping took out of it; nil where nothing was stripped.
  var removed: [RemovedMetadata]?
  /// Why it is not as it was asked for; each reason is escaped.
  var shortfalls: [(kind: Shortfall, detail: String)] = []
  /// The sidecars that lie beside it once it is there.
  var sidecar: [ExportPiece] = []
  /// What stands in its place where it cannot be made; at most one: a structure cannot hold itself.
  var fallback: [ExportPiece] = []

  init(
    _ making: Making = .copy,
    of asset: ExportedAsset,
    _ source: ExportFolder.Source,
    ending: String,
    about: Crate.About? = nil,
    facts: EmbeddedFacts? = nil
  ) {
    (self.asset, self.making, self.source, self.ending) = (asset, making, source, ending)
    self.about = about ?? Crate.About(run: asset.listed.run)
    self.facts = facts
  }

  /// The piece with this as its fallback.
  func instead(_ making: Making, facts: EmbeddedFacts? = nil) -> Self {
    var piece = self
    (piece.making, piece.facts) = (making, facts)
    (piece.sidecar, piece.fallback) = ([], [self])
    return piece
  }

  /// The piece with a packet beside it, and beside whatever stands in its place.
  func with(_ packet: Self) -> Self {
    var piece = self
    piece.sidecar.append(packet)
    piece.fallback = fallback.map { $0.with(packet) }
    return piece
  }

  /// Whether a receipt tells of it: a copy of a media file under a policy that strips.
  var hasReceipt: Bool { asset.policy != nil && (making == .stripped || isConverted) }

  /// The time of its last change, in nanoseconds since 1970: that of the library's file, which may be the time of
  /// capture, and of a stripped copy the date that its policy keeps; nil for now.
  func modified(_ own: Int64) -> Int64? {
    asset.policy == nil ? own : asset.listed.facts.creationDate?.nanosecondsSince1970
  }

  /// Its place in the folder.
  var path: [UInt8] { Array((asset.start + ending).utf8) }

  /// Its ending, and those of what may lie beside it or stand in its place.
  var endings: [String] { [ending] + (sidecar + fallback).flatMap(\.endings) }

  /// The files that its worker gets.
  var purpose: WorkerPurpose { asset.listed.workerPurpose }

  /// Whether it is a sidecar that the library has.
  var isOwnSidecar: Bool { format == nil && !isThumbnail && making != .packet }

  /// Whether it is a picture or a film that is made anew, under another name.
  var isConverted: Bool {
    switch making {
    case .jpeg, .film: true
    default: false
    }
  }

  /// Whether it says where it was taken; a copy is counted by the folder.
  var statesPlace: Bool {
    facts?.place != nil || [.embedded, .completed, .stripped].contains(making) && source.statesPlace
  }

  /// What is told where it cannot be made; nil for nothing.
  var shortfall: Shortfall? {
    switch making {
    case .jpeg, .film: .notConverted
    case .embedded, .stripped: .besides
    case .completed: .notCompleted
    case .copy, .packet, .thumbnail: nil
    }
  }

  /// The digest by which a later command knows that a worker's file is of this source, made in this way.
  var recipe: String {
    switch making {
    case .copy: source.digest
    case .packet: Self.recipe("packet", facts)
    case .jpeg(let quality): Self.recipe("jpeg \(quality) \(source.sha256)", facts)
    case .film(let height): Self.recipe("h264 \(height) \(source.sha256)", facts)
    case .embedded, .completed: Self.recipe("embed \(source.sha256)", facts)
    case .thumbnail(let spec): Self.recipe(spec, source, of: asset.listed)
    case .stripped:
      Self.recipe("\(asset.listed.policy) \(BuildInfo.formatVersion) \(source.digest)", facts)
    }
  }

  /// The digest by which a thumbnail is known to be made of this file, in this way.
  static func recipe(
    _ spec: ThumbnailSpec,
    _ source: ExportFolder.Source,
    of asset: ListedAsset
  ) -> String {
    let turn = asset.rotation == 0 ? "" : " \(asset.rotation)"
    let strip = asset.policy == MetadataPolicy.keep.rawValue ? "" : " strip"
    return recipe("\(spec.name) \(spec.fingerprint) \(source.sha256)" + turn + strip, nil)
  }

  private static func recipe(_ text: String, _ facts: EmbeddedFacts?) -> String {
    let description =
      facts.map {
        " \($0.date as Any) \($0.place as Any) \($0.keepsCopyright) "
          + ($0.rotation == 0 ? "" : "\($0.rotation) ")
      } ?? ""
    return Hexadecimal.text(SHA256.hash(Array((text + description).utf8) + (facts?.packet ?? [])))
  }
}

/// The content of a file that is in the folder, as far as it is known.
enum FileContent {
  /// The length, and the SHA-256 in hexadecimal digits.
  case known(bytes: Int64, sha256: String)
  case bytes([UInt8])
  /// It is read again where its digest is asked for.
  case file
}
