import Foundation
import Glibc
import MediaFileSystem
import MediaModel
import MediaSandbox
import MediaTestSupport
import Testing

@testable import MediaPhotosLibrary

/// Libraries as the confined process of the built program reads them.
enum Reading {
  /// Reads a library's database in the process that a run starts.
  ///
  /// A run starts it from its main thread, which a test does not have: it is started as `posix_spawn` can.
  static func index(of library: String) throws -> PhotosIndex {
    let root = try FileSystem.openPath(Array(library.utf8))
    let files = try PhotosReader.Files(beneath: root, crossMounts: false)
    let ends = try DescriptorPassing.pair()
    defer { close(ends.unblocking) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends.blocking, WorkerProcess.socketInWorker)
    let program = try BuiltProgram.path("mediabatch")
    let words: [String] = ["mediabatch", PhotosReaderService.argument]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, program, &actions, nil, arguments, environ)
    close(ends.blocking)
    try #require(failure == 0)
    defer {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    return try PhotosReader(ConfinedChild(socket: ends.unblocking), enforcesByKernel: true)
      .read(files)
  }

  /// The code with which reading a library ends.
  static func failure(of library: String) throws -> PhotosLibraryError.Code? {
    do {
      _ = try index(of: library)
      return nil
    } catch let error as PhotosLibraryError {
      #expect(error.description.contains("Photos.sqlite"))
      return error.code
    }
  }

  /// One SQL statement, asked by the `sqlite3` shell; a row a line, `|` between.
  static func rows(_ database: String, _ sql: String) throws -> [String] {
    let result = try Tool.run("sqlite3", ["file:\(database)?immutable=1", sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }
}

/// Assets of made libraries.
enum Made {
  static let first = "0A000000-0000-4000-8000-000000000001"
  static let second = "1B000000-0000-4000-8000-000000000002"
  static let third = "2C000000-0000-4000-8000-000000000003"

  /// Three assets of which each has something that the others have not, and two albums.
  static func library(
    at path: String,
    _ generation: MadePhotosLibrary.Generation = MadePhotosLibrary.generation13
  ) throws -> MadePhotosLibrary {
    var one = MadePhotosLibrary.Asset(first, "Harbour at dawn.JPG")
    one.columns = [
      "ZFAVORITE": "1", generation.adjustments: "1", "ZDATECREATED": "561129492.501",
      "ZLATITUDE": "51.5", "ZLONGITUDE": "-0.125", "ZAVALANCHEUUID": "'BURST-0001'",
      "ZAVALANCHEPICKTYPE": "20",
    ]
    one.attributes = ["ZTITLE": "'The harbour'", "ZTIMEZONEOFFSET": "-14400"]
    one.caption = "Boats, early"
    one.keywords = ["sea", "boats", "Ünder"]
    one.people = ["Bo", "Ann", "Ann", ""]
    var two = MadePhotosLibrary.Asset(second, "IMG_2.MOV")
    two.fileExtension = "mov"
    two.columns = [
      "ZHIDDEN": "1", "ZKIND": "1", "ZKINDSUBTYPE": "101", "ZAVALANCHEUUID": "'BURST-0001'",
      "ZAVALANCHEPICKTYPE": "2",
    ]
    two.isLocal = false
    var three = MadePhotosLibrary.Asset(third, "IMG_3.HEIC")
    three.fileExtension = "heic"
    three.columns = [
      "ZTRASHEDSTATE": "1", "ZCLOUDBATCHPUBLISHDATE": "1.5", "ZKINDSUBTYPE": "2",
      "ZDIRECTORY": "'album/AAAA'",
    ]
    three.attributes = ["ZTITLE": "'Only a title'"]
    return try MadePhotosLibrary(
      at: path,
      generation,
      assets: [one, two, three],
      albums: [
        ("ALBUM-0001", "Summer / sea", [2, 0]), ("ALBUM-0002", "Empty", []),
      ]
    )
  }
}

extension PhotosIndex {
  /// The identifiers of an album's assets, in its order.
  func identifiers(in album: PhotosAlbum) -> [String] {
    album.members.map { assets[Int($0)].uuid }
  }
}
