internal import MediaDigest
internal import MediaLibrary
internal import MediaModel

extension CatalogueReader {
  /// The digest of this program, the library's state and the choices of a person, by which a folder is
  /// known to be current.
  func state(of choices: String) throws(LibraryError) -> String {
    let text = "\(BuildInfo.version)\n\(try changeToken())\n\(try albumState())\n\(choices)"
    return Hexadecimal.text(SHA256.hash(Array(text.utf8)))
  }
}
