internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaReports

extension CheckCommand {
  /// What a manifest says of its sources and the library, if it is there and can be read, knows otherwise.
  static func libraryProblems(
    _ loaded: LoadedManifest,
    _ access: AccessState
  ) -> (conflict: RunError?, notes: [String]) {
    guard let catalogue = try? CatalogueReader(library: loaded.output) else { return (nil, []) }
    if let known = try? catalogue.sources(), let conflict = loaded.nameConflict(with: known) {
      return (conflict, [])
    }
    let read = access.permissions.sources.filter { $0.isRead && $0.selection == nil && $0.layout.hasAlbums }
    let notes = read.compactMap { source -> String? in
      guard let folder = loaded.path(of: source.source).flatMap(FileSystem.resolved),
        let key = try? Library.identity(at: loaded.output)?.key,
        let albums = try? catalogue.albums(
          of: source.source,
          notAt: SourceAlbum.place(of: folder, key: key)
        )
      else { return nil }
      let count = albums.count { album in !album.members.contains { isThere($0, in: folder) } }
      return RunReport.Problem.albumsElsewhere(count, of: source.source, in: loaded.manifest)?.message
    }
    return (nil, notes)
  }

  /// Whether a source's folder has a file, or an archive that may have it.
  private static func isThere(_ path: ItemPath, in folder: [UInt8]) -> Bool {
    do throws(FileSystemError) {
      _ = try FileSystem.status(ofPath: folder + [UInt8.slash] + path.bytes)
      return true
    } catch {
      // Something on the way is a file.
      return error.errno != ENOENT
    }
  }
}
