package import MediaContainers
import MediaMetadata
package import MediaModel

/// Takes the metadata out of an MP4, MOV, M4A or 3GP: boxes that show and sound stay, written anew,
/// and of the media data the samples of tracks that stay; or takes out sound alone.
///
/// What is said about it by kept values stands in QuickTime's named metadata.
///
/// Source: ISO/IEC 14496-12; ISO/IEC 14496-14; Apple, QuickTime File Format; 3GPP TS 26.244.
package enum MovieStripper: ContainerStripper {
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    var kept = KeptMetadata()
    if options.wantsValues {
      let values = MovieValues.all(in: source)
      kept = values.limited(to: options)
      if let key = options.pairingKey, let original = values.contentIdentifier {
        kept.contentIdentifier = LivePhotoIdentifier.fresh(original: original, key: key)
      }
    }
    return try editList(of: source, options: options, description: MovieDescription(kept))
  }

  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    try MovieVerification.verify(output, options: options)
  }

  /// The edit list that takes every sound track out and leaves everything else as it is, for a movie
  /// whose metadata is kept.
  ///
  /// - Throws: `stripUnsupported` when sound cannot be told from pictures, for encrypted files, and
  ///   when nothing but sound is there; `damaged` for a file that does not follow its format.
  package static func muteList(of source: ByteSource) throws(MetadataError)
    -> EditList
  {
    let list = try list(of: source) { (file) throws(MetadataError) in
      try MovieLayout(
        file,
        try selection(file, keepsAll: true, removesAudio: true, of: source),
        of: source,
        keepsAll: true,
        description: MovieDescription()
      )
    }
    try MovieVerification.verifyMuted(try ByteSource(applying: list, to: source))
    return list
  }

  /// The edit list of an output that says `description` about itself.
  static func editList(
    of source: ByteSource,
    options: StripOptions,
    description: MovieDescription
  ) throws(MetadataError) -> EditList {
    try list(of: source) { (file) throws(MetadataError) in
      try MovieLayout(
        file,
        try selection(file, keepsAll: false, removesAudio: options.removesAudio, of: source),
        of: source,
        keepsAll: false,
        keepsCredentials: options.except.contains(.contentCredentials),
        description: description
      )
    }
  }

  /// What sounds and shows nothing, listed again, is the same; for verification.
  static func muteListAgain(
    of output: ByteSource
  ) throws(MetadataError) -> EditList {
    try list(of: output) { (file) throws(MetadataError) in
      try MovieLayout(
        file,
        try selection(file, keepsAll: true, removesAudio: true, of: output),
        of: output,
        keepsAll: true,
        description: MovieDescription()
      )
    }
  }

  private static func selection(
    _ file: MovieFile,
    keepsAll: Bool,
    removesAudio: Bool,
    of source: ByteSource
  ) throws(MetadataError) -> MovieSelection {
    guard let moov = file.moov else { throw MetadataError(.damaged, "no moov") }
    return try MovieSelection(moov, keepsAll: keepsAll, removesAudio: removesAudio, of: source)
  }

  private static func list(
    of source: ByteSource,
    _ layout: (MovieFile) throws(MetadataError) -> MovieLayout
  ) throws(MetadataError) -> EditList {
    var layout = try layout(try MovieFile(of: source))
    let (output, removed) = try layout.write()
    var builder = EditListBuilder(sourceLength: source.length)
    try output.write(to: &builder)
    // Names are limited in number, and whole tracks say most.
    let isTrack = { (name: String) in name.hasSuffix(" track") }
    let names = removed.keys.sorted { (isTrack($1) ? 1 : 0, $0) < (isTrack($0) ? 1 : 0, $1) }
    for name in names { builder.remove(name, count: removed[name] ?? 0) }
    return builder.finish()
  }
}
