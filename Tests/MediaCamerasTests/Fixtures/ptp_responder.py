#!/usr/bin/env python3
"""A camera on loopback: a PTP/IP responder whose stores are folders, and which can break in chosen ways.

It listens on 127.0.0.1, on a port of its own, which it writes to --port-file. Each folder of TREE is a store.
Each operation that it gets is a line of --record: its code in hexadecimal, and its parameters.

Source: ISO 15740 (PTP 1.0), CIPA DC-005 (PTP/IP).
"""

import argparse
import os
import socket
import struct
import sys
import threading
import time

OK, GENERAL_ERROR, UNSUPPORTED, BAD_HANDLE = 0x2001, 0x2002, 0x2005, 0x2009
FOLDER, UNDEFINED, JPEG = 0x3001, 0x3000, 0x3808
FORMATS = {"jpg": 0x3801, "png": 0x380B, "mp4": 0xB982, "mov": 0x300D, "avi": 0x300A, "wav": 0x3008}
OPERATIONS = [0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1006, 0x1007, 0x1008, 0x1009, 0x100A, 0x100B, 0x100C,
              0x100D, 0x1014, 0x1015, 0x1016, 0x100E]
PARTIAL = 0x101B
ALL = 0xFFFFFFFF


def text(value):
    if not value:
        return b"\0"
    units = value.encode("utf-16-le", "surrogatepass") + b"\0\0"
    return struct.pack("<B", len(units) // 2) + units


def array(form, values):
    return struct.pack("<I", len(values)) + struct.pack(f"<{len(values)}{form}", *values)


class Object:
    def __init__(self, handle, storage, parent, name, path=None, size=0, modified=0, content=None):
        self.handle, self.storage, self.parent, self.name = handle, storage, parent, name
        self.path, self.size, self.modified, self.content = path, size, modified, content

    @property
    def is_folder(self):
        return self.path is None and self.content is None

    def read(self):
        if self.content is not None:
            return self.content
        with open(self.path, "rb") as file:
            return file.read()


class Camera:
    def __init__(self, options):
        self.options = options
        self.objects, self.storages = {}, []
        self.lock = threading.Lock()
        for number, store in enumerate(sorted(os.listdir(options.tree)), 1):
            storage = number << 16 | 1
            self.storages.append(storage)
            self.add_folder(os.path.join(options.tree, store), storage, 0)
        if options.count:
            storage = self.storages[0]
            # libgphoto2 finds one of several folders of one name.
            folders = [item for item in self.objects.values() if item.name == "DCIM" and not item.parent]
            root = folders[0] if folders else self.add(storage, 0, "DCIM")
            folder = None
            for index in range(options.count):
                if index % 9999 == 0:
                    folder = self.add(storage, root.handle, f"{100 + index // 9999}MANYS")
                content = b"\xff\xd8%d" % index
                self.add(storage, folder.handle, f"IMG_{index % 9999 + 1:04}.JPG", content=content,
                         size=len(content), modified=1_700_000_000 + index)
        for line in options.name or []:
            self.add(self.storages[0], 0, line.encode().decode("unicode_escape"), content=b"hostile", size=7)

    def add(self, storage, parent, name, **values):
        item = Object(len(self.objects) + 1, storage, parent, name, **values)
        self.objects[item.handle] = item
        return item

    def add_folder(self, path, storage, parent):
        for name in sorted(os.listdir(path)):
            inner = os.path.join(path, name)
            if os.path.isdir(inner):
                self.add_folder(inner, storage, self.add(storage, parent, name).handle)
                continue
            status = os.stat(inner)
            size = status.st_size + self.options.sizes.get(name, 0)
            self.add(storage, parent, name, path=inner, size=size, modified=int(status.st_mtime))

    def record(self, code, parameters):
        if self.options.record:
            with self.lock, open(self.options.record, "a", encoding="ascii") as file:
                print(f"{code:04x}", *parameters, file=file)

    def device(self):
        operations = OPERATIONS + ([] if self.options.whole else [PARTIAL])
        return (struct.pack("<HIH", 100, 0, 0) + text("") + struct.pack("<H", 0) + array("H", operations)
                + array("H", []) + array("H", []) + array("H", []) + array("H", [UNDEFINED, 0x3801])
                + text("Example") + text("Responder") + text("1.0") + text("0001"))

    def info(self, item):
        form = FOLDER if item.is_folder else FORMATS.get(item.name.rsplit(".", 1)[-1].lower(), UNDEFINED)
        # libgphoto2 fetches no file of an unknown format without a thumbnail; raw files have one.
        thumbnail = JPEG if form == UNDEFINED else 0
        date = time.strftime("%Y%m%dT%H%M%S", time.gmtime(item.modified)) if item.modified else ""
        return (struct.pack("<IHHIHIIIIIIIHII", item.storage, form, 0, item.size & ALL, thumbnail, 0, 0, 0, 0, 0, 0,
                            item.parent, 1 if item.is_folder else 0, 0, 0)
                + text(item.name) + text(date) + text(date) + text(""))

    def handles(self, storage, parent):
        items = [item for item in self.objects.values() if storage in (ALL, item.storage)]
        if parent:
            items = [item for item in items if item.parent == (0 if parent == ALL else parent)]
        return [item.handle for item in items]


class Session:
    def __init__(self, camera, stream):
        self.camera, self.stream = camera, stream

    def packet(self, kind, payload):
        self.stream.sendall(struct.pack("<II", len(payload) + 8, kind) + payload)

    def receive(self, count):
        received = b""
        while len(received) < count:
            part = self.stream.recv(count - len(received))
            if not part:
                raise ConnectionError
            received += part
        return received

    def next(self):
        length, kind = struct.unpack("<II", self.receive(8))
        return kind, self.receive(length - 8)

    def respond(self, transaction, code=OK, *parameters):
        self.packet(7, struct.pack(f"<HI{len(parameters)}I", code, transaction, *parameters))

    def data(self, transaction, content, fault=None):
        self.packet(9, struct.pack("<IQ", transaction, len(content)))
        offset = 0
        while True:
            part = content[offset:offset + (1 << 16)]
            if fault:
                kind, limit = fault
                if offset + len(part) > limit:
                    self.packet(10, struct.pack("<I", transaction) + part[:max(0, limit - offset)])
                    if kind == "stall":
                        time.sleep(3600)
                    raise ConnectionError
            offset += len(part)
            is_last = offset >= len(content)
            self.packet(12 if is_last else 10, struct.pack("<I", transaction) + part)
            if is_last:
                return

    def serve(self):
        kind, payload = self.next()
        if kind == 3:
            self.packet(4, b"")
            # The connection for events: nothing happens on it.
            while self.stream.recv(1):
                pass
            return
        if kind != 1:
            return
        self.packet(2, struct.pack("<I", 1) + bytes(16) + "Responder\0".encode("utf-16-le")
                    + struct.pack("<HH", 0, 1))
        while True:
            kind, payload = self.next()
            if kind != 6:
                continue
            _, code, transaction = struct.unpack("<IHI", payload[:10])
            count = (len(payload) - 10) // 4
            parameters = struct.unpack(f"<{count}I", payload[10:10 + 4 * count])
            self.camera.record(code, parameters)
            self.answer(code, transaction, list(parameters) + [0] * 5)

    def answer(self, code, transaction, parameters):
        camera, options = self.camera, self.camera.options
        if code == 0x1001:
            self.data(transaction, camera.device())
        elif code in (0x1002, 0x1003):
            pass
        elif code == 0x1004:
            if options.stall_list:
                time.sleep(3600)
            self.data(transaction, array("I", camera.storages))
        elif code == 0x1005:
            self.data(transaction, struct.pack("<HHHQQI", 4, 3, 0, 1 << 30, 1 << 29, 100) + text("Card")
                      + text("CARD"))
        elif code == 0x1006:
            self.respond(transaction, OK, len(camera.handles(parameters[0], parameters[2])))
            return
        elif code == 0x1007:
            self.data(transaction, array("I", camera.handles(parameters[0], parameters[2])))
        elif code in (0x1008, 0x1009, PARTIAL):
            item = camera.objects.get(parameters[0])
            if item is None or (code != 0x1008 and item.name in options.gone):
                self.respond(transaction, BAD_HANDLE)
                return
            if code == 0x1008:
                self.data(transaction, camera.info(item))
            else:
                content, fault = item.read(), options.faults.get(item.name)
                content += bytes(max(0, options.longer.get(item.name, 0)))
                if code == PARTIAL:
                    start, end = parameters[1], parameters[1] + parameters[2]
                    if fault:
                        fault = (fault[0], fault[1] - start)
                    content = content[start:end]
                self.data(transaction, content, fault)
                if code == PARTIAL:
                    self.respond(transaction, OK, len(content))
                    return
        else:
            self.respond(transaction, UNSUPPORTED)
            return
        self.respond(transaction)


def pairs(values, kind=int):
    return {name: kind(value) for name, value in (pair.rsplit(":", 1) for pair in values or [])}


def serve(camera, stream):
    try:
        Session(camera, stream).serve()
    except (ConnectionError, struct.error, OSError):
        pass
    finally:
        stream.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree")
    parser.add_argument("--port-file", required=True)
    parser.add_argument("--record")
    parser.add_argument("--count", type=int, default=0, help="so many small objects besides those of the tree")
    parser.add_argument("--name", action="append", help="an object of any name in the first store")
    parser.add_argument("--whole", action="store_true", help="without GetPartialObject")
    parser.add_argument("--unplug", action="append", help="NAME:BYTES: ends the connection behind so many bytes")
    parser.add_argument("--stall", action="append", help="NAME:BYTES: sends nothing more")
    parser.add_argument("--stall-list", action="store_true", help="sends no storage identifiers")
    parser.add_argument("--size", action="append", help="NAME:BYTES: announces so many bytes more")
    parser.add_argument("--longer", action="append", help="NAME:BYTES: sends so many bytes more")
    parser.add_argument("--gone", action="append", default=[], help="NAME: can be listed, not fetched")
    options = parser.parse_args()
    options.sizes, options.longer = pairs(options.size), pairs(options.longer)
    options.faults = pairs(options.unplug, lambda value: ("unplug", int(value)))
    options.faults.update(pairs(options.stall, lambda value: ("stall", int(value))))
    camera = Camera(options)
    listener = socket.create_server(("127.0.0.1", 0))
    with open(options.port_file + ".new", "w", encoding="ascii") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(options.port_file + ".new", options.port_file)
    while True:
        stream, _ = listener.accept()
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(camera, stream), daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
