/// The treatment of a source file whose content is not the one that was imported.
package enum ChangedSourcePolicy: String, CaseIterable, Sendable, Hashable {
  /// Its new content becomes an asset of its own, which names the older one.
  case add
  /// Its new content takes the place of the older one in the asset, if both are one photo: of the same
  /// format, and with the same capture date or content identifier. The older original is kept until
  /// `repair --superseded --replaced`.
  case replace
}

/// The part of an asset whose place an item's new content takes.
package enum Replacement: String, Sendable, Hashable, Codable {
  /// A beginning of the file, which was imported while the file was not whole: it is superseded.
  case beginning
  /// An earlier version of the file, whose originals are kept.
  case version
}
