package import MediaCameras
package import MediaFileSystem
package import MediaManifest
package import MediaModel
package import MediaPermissions

/// Where a source of a manifest is, and of which kind, before anything of it is opened.
package struct SourceAddress {
  private enum Root {
    case folder([UInt8])
    case camera(CameraSelection)
  }

  private let root: Root
  private let layout: SourceLayout

  /// Reads the manifest's words; nil for those that name no camera where one is expected.
  ///
  /// - Parameters:
  ///   - words: A path, or which camera.
  ///   - layout: The manifest's word for the kind.
  ///   - absolute: Makes a path absolute.
  package init?(_ words: String, _ layout: SourceLayout, absolute: (String) -> [UInt8]) {
    self.layout = layout
    if layout.isFolder {
      root = .folder(absolute(words))
    } else {
      guard let camera = CameraSelection(words) else { return nil }
      root = .camera(camera)
    }
  }

  /// The absolute path of the folder; nil for a camera.
  package var folder: [UInt8]? {
    if case .folder(let path) = root { path } else { nil }
  }

  /// What answers are bound to; nil when the source is not there. Nothing is opened, and a camera is asked
  /// nothing: the kernel has described what is connected.
  package var identity: FolderIdentity? {
    switch root {
    case .camera(let selection):
      guard let device = try? selection.find() else { return nil }
      return FolderIdentity(path: device.identity, device: 0, inode: 0)
    case .folder(let path):
      guard let resolved = FileSystem.resolved(path),
        let status = try? FileSystem.status(ofPath: resolved), status.kind == .folder
      else { return nil }
      return FolderIdentity(path: resolved, device: status.device, inode: status.inode)
    }
  }

  /// Says why the source is not there, for a message.
  package var absence: String {
    switch root {
    case .camera(let selection):
      do throws(CameraError) {
        _ = try selection.find()
        return "it was not connected when the run began"
      } catch {
        return "\(error) (\(error.advice.dropLast()))"
      }
    case .folder(let path): return "there is no folder \"\(EscapedText.percentEscaped(path))\""
    }
  }

  /// Opens the source's root with O_PATH, if it is still what was decided about.
  ///
  /// - Parameters:
  ///   - identity: What was decided about.
  ///   - source: The source.
  ///   - others: Absolute paths of the other sources and of the library, which it must not overlap.
  ///   - selection: Under `limited`, what a person has selected.
  /// - Returns: The root, and the kind of the source.
  /// - Throws: `RunError`, 66 when it is missing or another one, `sourcesOverlap`.
  package func open(
    as identity: FolderIdentity?,
    of source: SourceID,
    others: [[UInt8]],
    selection: [SelectionPattern]?
  ) throws(RunError) -> (root: Descriptor, media: any MediaSource) {
    switch root {
    case .camera(let camera):
      let (device, file) = try OpenedRoot.open(camera, as: identity, of: source)
      return (file, CameraSource(device))
    case .folder(let path):
      let root = try OpenedRoot.open(path, as: identity, of: source)
      try OpenedRoot.check(root, of: source, others: others)
      return (root, media(selection))
    }
  }

  /// Opens a source's root with O_PATH for a viewer, if it is still what was decided about.
  ///
  /// - Parameters:
  ///   - address: Where the source is; nil where the manifest does not say it.
  ///   - identity: What was decided about.
  ///   - source: The source.
  /// - Returns: The root, and the camera that it is; nil for a folder.
  /// - Throws: `RunError`, 66 when it is missing or another one.
  package static func openForViewing(
    _ address: SourceAddress?,
    as identity: FolderIdentity?,
    of source: SourceID
  ) throws(RunError) -> (root: Descriptor, camera: CameraDevice?) {
    if case .camera(let camera)? = address?.root {
      let (device, file) = try OpenedRoot.open(camera, as: identity, of: source)
      return (file, device)
    }
    let path = identity?.path ?? address?.folder ?? []
    return (try OpenedRoot.open(path, as: identity, of: source), nil)
  }

  private func media(_ selection: [SelectionPattern]?) -> any MediaSource {
    switch layout {
    case .folder, .ptp: FolderSource()
    case .takeout: TakeoutSource()
    case .photosLibrary: PhotosSource(selection: selection)
    case .iCloudExport: ICloudExportSource()
    }
  }
}
