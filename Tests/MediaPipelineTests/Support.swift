import Foundation
import Glibc
import MediaFileSystem
import MediaLibrary
import MediaListing
import MediaManifest
import MediaModel
import MediaTestSupport

@testable import MediaPipeline
@testable import MediaSources

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func plannedSource(
  _ folder: String = "/",
  kind: SourceKind = .camera,
  policy: MetadataPolicy = .strip,
  selection: [String]? = nil,
  captureMode: CaptureMode? = nil,
  mediaTypes: Set<MediaType> = Set(MediaType.allCases),
  crossMounts: Bool = false,
  allowsHardLinks: Bool = false,
  audioRefusal: MicrophoneRefusalPolicy? = nil
) throws -> PlannedSource {
  PlannedSource(
    id: SourceID(kind),
    path: folder,
    resolvedPath: bytes(folder),
    root: try FileSystem.openPath(bytes(folder)),
    basis: selection == nil ? .authorized : .limited,
    policy: policy,
    selection: try selection.map { Selection(try $0.map { try SelectionPattern($0) }) },
    captureMode: captureMode,
    mediaTypes: mediaTypes,
    crossMounts: crossMounts,
    boundary: SourceBoundary(others: [], table: MountTable()),
    allowsHardLinks: allowsHardLinks,
    ignored: IgnoreRules(),
    audioRefusal: audioRefusal
  )
}

func pending(_ path: String, size: Int64 = 1, number: Int = 1) -> PendingItem {
  PendingItem(
    listed: ListedItem(
      path: ItemPath(bytes: bytes(path)),
      status: FileStatus(kind: .regular, size: size),
      reason: nil
    ),
    number: number
  )
}

func itemWork(
  _ path: String,
  _ source: PlannedSource,
  index: Int = 0,
  late: LateHalf? = nil
) -> ItemWork {
  var pending = pending(path, number: index + 1)
  pending.late = late
  return ItemWork(
    pending,
    index: index,
    source: source,
    saveTime: SaveTime(microseconds: 0),
    thumbnails: [],
    limits: ItemLimits()
  )
}

func openLibrary(_ path: String) throws -> Library {
  try Library(path: bytes(path), waits: false, holder: "a test")
}
