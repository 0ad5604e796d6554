internal import Glibc
internal import MediaModel
internal import MediaPhotosLibrary

/// Reads the database of a Photos library as its process does, and takes its messages as the coordinator does.
enum PhotosCheck {
  static func check(_ input: UnsafeRawBufferPointer) {
    // SQLite opens a file by its name.
    guard let path = temporaryFile(input) else {
      complain("metadata-fuzzer: no temporary file can be written")
      exit(74)
    }
    defer { unlink(path) }
    do {
      check(try UnconfinedPhotosReader.index(of: path))
    } catch is PhotosLibraryError {
      return
    } catch {
      finding("the coordinator refuses what the process sends: \(error)")
    }
  }

  private static func check(_ index: PhotosIndex) {
    for asset in index.assets {
      let path = index.originalPath(of: asset)
      let parts = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      if path.bytes.contains(0) || parts.contains(where: isNoName) {
        finding("a place that is none: \(path.text)")
      }
      _ = (asset.description, asset.stem, index.asset(of: path))
    }
    for album in index.albums where album.members.contains(where: { $0 >= index.assets.count }) {
      finding("an album with a member that is no asset")
    }
  }

  private static func isNoName(_ part: ArraySlice<UInt8>) -> Bool {
    part.isEmpty || part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8)
  }

  private static func temporaryFile(_ bytes: UnsafeRawBufferPointer) -> String? {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array("\(folder)/metadata-fuzzer-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard write(descriptor, bytes.baseAddress, bytes.count) == bytes.count else {
      unlink(path)
      return nil
    }
    return path
  }
}
