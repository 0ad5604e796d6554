// A program that the tests of MediaCameras start: the coordinator's end and the process of a camera, since a
// process is started by the main thread alone. Never installed.
import Glibc
import MediaCameras
import MediaFileSystem
import MediaModel
import MediaSandbox

let arguments = WorkerProcess.ownArguments
switch arguments.first {
case CameraService.argument?:
  exit(CameraService.run())
case "read"? where arguments.count >= 4:
  exit(
    read(
      into: arguments[1],
      limits: CameraReader.Limits(
        listSeconds: Int(arguments[2]) ?? 30,
        copySeconds: Int(arguments[3]) ?? 30,
        maximumFileBytes: arguments.count > 4 ? Int64(arguments[4]) ?? 1 : 1 << 40
      ),
      times: arguments.count > 5 ? Int(arguments[5]) ?? 1 : 1
    )
  )
default: exit(64)
}

/// Prints a line at once.
func emit(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Lists the camera of a test and copies each file into `folder`, by its number; prints what happened.
func read(into folder: String, limits: CameraReader.Limits, times: Int) -> Int32 {
  do {
    let nullDevice = try FileSystem.openDevice(Array("/dev/null".utf8))
    let target = try FileSystem.openFolder(Array(folder.utf8))
    guard let selection = CameraSelection("usb:") else { return 64 }
    let device = try selection.find()
    let reader = try CameraReader.start(device, nullDevice: nullDevice.raw, limits: limits)
    emit("started")
    let listing = try reader.list()
    emit("listed \(listing.objects.count) \(listing.unlistedCount)")
    for (number, object) in listing.objects.enumerated() {
      emit("object \(number) \(object.size ?? -1) \(object.modified) \(object.path.text)")
    }
    for time in 0..<times {
      for (number, object) in listing.objects.enumerated() {
        let file = try FileSystem.createFile(in: target, Array("\(number).\(time)".utf8))
        do {
          emit("copied \(number) \(try reader.copy(object, into: file))")
        } catch {
          emit("failed \(number) \(error.code): \(error)")
        }
      }
    }
    return 0
  } catch let error as CameraError {
    emit("ended \(error.code): \(error)")
    return 1
  } catch {
    emit("ended: \(error)")
    return 70
  }
}
