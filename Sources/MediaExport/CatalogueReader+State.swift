internal import MediaDigest
internal import MediaLibrary
internal import MediaModel

extension CatalogueReader {
  /// The digest of this program, the library's state and the choices of a person, by which a folder is
  /// known to be current; nil when the library has no history, and so no state.
  func state(of choices: String) throws(LibraryError) -> String? {
    guard let token = try changeToken() else { return nil }
    let text = "\(BuildInfo.version)\n\(token)\n\(choices)"
    return Hexadecimal.text(SHA256.hash(Array(text.utf8)))
  }
}
