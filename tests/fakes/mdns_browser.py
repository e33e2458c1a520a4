"""A program that waits for one bridge on the loopback interface: a line when it comes or goes.

Its argument is the full name of the service.
"""

import asyncio
import sys

from zeroconf import IPVersion, ServiceStateChange
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

SERVICE = "_voxcard._tcp.local."


async def tell(zeroconf, name):
    info = AsyncServiceInfo(SERVICE, name)
    assert await info.async_request(zeroconf, 3000)
    [address] = info.parsed_addresses()
    txt = " ".join(f"{key}={value}" for key, value in info.decoded_properties.items())
    print("+", name, f"{address}:{info.port}", txt, flush=True)


async def main():
    tasks = set()

    def changed(zeroconf, service_type, name, state_change):
        if name != sys.argv[1]:
            return
        if state_change is ServiceStateChange.Added:
            tasks.add(asyncio.ensure_future(tell(zeroconf, name)))
        elif state_change is ServiceStateChange.Removed:
            print("-", name, flush=True)

    async with AsyncZeroconf(["127.0.0.1"], ip_version=IPVersion.V4Only) as own:
        AsyncServiceBrowser(own.zeroconf, SERVICE, handlers=[changed])
        await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    asyncio.run(main())
