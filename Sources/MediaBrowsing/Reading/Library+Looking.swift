package import MediaCatalogue
internal import MediaFileSystem
package import MediaLibrary
internal import MediaModel

extension Library {
  /// Finds out whether a run could open the library at `path`, or make one there.
  ///
  /// Takes no lock and writes nothing. That a catalogue is damaged is not looked for.
  ///
  /// - Parameter path: Absolute.
  /// - Returns: The error that the run would meet; nil when there is none, or another run holds the
  ///   library now.
  package static func obstacle(path: [UInt8]) -> LibraryError? {
    do {
      let root = try FileSystem.openFolder(path)
      if LibraryFolder.isHeld(root) { return nil }
      let content = try LibraryFolder(of: root)
      if let refusal = refusal(of: content, path: path) { return refusal }
      if !FileSystem.isWritable(path) { return notWritable(path) }
      guard content == .library else { return nil }
      do throws(LibraryError) {
        _ = try CatalogueReader(library: path)
      } catch {
        return error.code == .unknownSchema ? error : nil
      }
      return nil
    } catch  where error.isMissing {
      guard let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return nil }
      // A run makes the folders above it too.
      let parent = Array(path[..<slash])
      if FileSystem.exists(parent) {
        return FileSystem.isWritable(parent) ? nil : notWritable(parent)
      }
      return obstacle(path: parent)?.code == .cannotWrite ? notWritable(parent) : nil
    } catch {
      return LibraryError(error)
    }
  }

  private static func notWritable(_ path: [UInt8]) -> LibraryError {
    LibraryError(
      .cannotWrite,
      "Nothing can be written into \"\(EscapedText.percentEscaped(path))\", where the library is to "
        + "be. Choose another folder under \"output\", or ask for the right to write there."
    )
  }
}
