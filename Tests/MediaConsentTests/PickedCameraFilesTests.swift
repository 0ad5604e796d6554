import MediaCameras
import MediaFileSystem
import MediaModel
import MediaPicking
import MediaSandbox
import MediaWorkerProtocol
import Testing

@testable import MediaConsent

@Suite("Files that were picked from a camera are looked at by their paths alone")
struct PickedCameraFilesTests {
  private func request(limit: Int) throws -> PickerRequest {
    let device = CameraDevice(
      name: "Responder",
      serial: "1",
      vendor: 1,
      product: 2,
      port: "usb:001,004",
      access: .usb(file: Array("/dev/bus/usb/001/004".utf8), bus: Array("/sys/devices/usb1".utf8))
    )
    return PickerRequest(
      folder: try FileSystem.openPath(Array("/dev/null".utf8)),
      camera: device,
      clientName: "org.example.test",
      pick: PickRequest(limit: limit)
    )
  }

  private func path(_ text: String) -> ItemPath { ItemPath(bytes: Array(text.utf8)) }

  @Test("Paths that a camera can have are taken in order, up to the limit")
  func checks() throws {
    let request = try request(limit: 2)
    let still = path("store_1/DCIM/100/A.HEIC")
    let movie = path("store_1/DCIM/100/A.MOV")
    let other = path("store_2/DCIM/100/B.JPG")
    #expect(try PickedFiles.checked([other, movie, still], for: request) == [still, movie, other])
    let tooMany = [still, movie, other, path("store_2/DCIM/100/C.JPG")]
    for wrong in [
      [], tooMany, [other, other], [path("A.JPG")], [path("store_1/../A.JPG")], [path("/a/b.JPG")],
      [path("store_1//A.JPG")], [path("store_1/\(String(repeating: "a", count: 256))")],
    ] {
      #expect(throws: ConsentError.self) { try PickedFiles.checked(wrong, for: request) }
    }
  }

  @Test("A viewer gets the camera as it was decided about, and a folder has none")
  func task() throws {
    let request = try request(limit: 0)
    let words = try #require(request.viewerTask.camera)
    #expect(try CameraDevice(frame: words[...]) == request.camera)
    #expect(throws: (any Error).self) { try CameraDevice(frame: words.dropLast()) }
    var folder = request
    folder.camera = nil
    #expect(folder.viewerTask.camera == nil)
  }
}
