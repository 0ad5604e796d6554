package import MediaCameras
package import MediaFileSystem
internal import MediaListing
package import MediaModel
internal import MediaWorkerPool

/// A camera or phone that speaks PTP, which a process of its own lists and copies from.
package final class CameraSource: MediaSource {
  private let camera: CameraDevice
  /// Nil before the process is started.
  private var files: CameraFiles?

  package init(_ camera: CameraDevice) { self.camera = camera }

  package var isFolder: Bool { false }
  package var conditionsWord: String? { "ptp" }

  /// Starts the camera's process.
  ///
  /// - Throws: `RunError`, 69 when it cannot be confined.
  package func start(_ source: PlannedSource, _ preparation: SourcePreparation) throws {
    do throws(CameraError) {
      let reader = try CameraReader.start(
        camera,
        nullDevice: preparation.program.nullDevice.raw,
        enforcesByKernel: preparation.enforcement == .kernel,
        limits: CameraReader.Limits(maximumFileBytes: preparation.maximumFileBytes)
      )
      files = CameraFiles(reader, source.id, isInterrupted: preparation.isInterrupted)
    } catch {
      throw RunError(
        .enforcementUnavailable,
        "Not run: \(error). Run `mediabatch doctor` to see what this machine can enforce."
      )
    }
  }

  package func list(into listing: inout SourceListing) throws {
    if let files {
      let checkAccess = listing.checkAccess
      let warnings = try files.list(into: &listing.items, checkAccess: checkAccess)
      listing.warnings += warnings
    }
    listing.keepSelected()
    listing.applyRulesOfWalk()
    listing.noteUnmatched()
  }

  package func holds(_ path: ItemPath) -> Bool { true }

  package func copy(_ path: ItemPath, into copy: Descriptor) throws(SourceFileFailure) {
    guard let files else {
      throw SourceFileFailure(reason: .cannotRead, detail: "the camera's process was not started")
    }
    try files.copy(path, into: copy)
  }
}
