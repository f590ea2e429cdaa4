"""Modules that surely are not of the project at hand."""

import builtins
import re
import sys

BUILTINS = frozenset(dir(builtins))
# Installed packages by the name of their module. A package that is not here may be one of the project: its folders
# are called `docker` or `mcp`, too.
_INSTALLED = frozenset(
    "PIL aiohttp altair anthropic attr bs4 boto3 botocore click cryptography cv2 dask dateutil django docx"
    " duckdb fastapi flask fitz h5py httpx huggingface_hub jax jinja2 jsonschema jwt keras langchain lxml"
    " matplotlib msgspec networkx nltk numpy openai openpyxl orjson pandas paramiko pdfplumber"
    " peewee pkg_resources playwright plotly polars psutil psycopg psycopg2 pyarrow pydantic pydub pymongo pymysql"
    " pypdf pytest pytz reportlab requests rich ruamel scipy seaborn selenium setuptools shapely six sklearn"
    " sqlalchemy starlette statsmodels sympy tabulate tensorflow tiktoken tokenizers toml tomlkit torch"
    " torchvision tqdm transformers typer urllib3 uvicorn websockets xgboost yaml zstandard".split()
)
_LIBRARIES = sys.stdlib_module_names | _INSTALLED
NODE_MODULES = frozenset(
    "assert buffer child_process cluster console crypto dgram dns events fs http http2 https module net os path"
    " perf_hooks process punycode querystring readline repl stream string_decoder timers tls tty url util v8 vm"
    " worker_threads zlib".split()
)
NODE_GLOBALS = frozenset(
    "Array ArrayBuffer Atomics BigInt Boolean Buffer Date Error Function Intl JSON Map Math Number Object Promise"
    " Proxy Reflect RegExp Set String Symbol URL WeakMap WeakSet console process".split()
)
# Code in a command line may use these modules without `require`; few variables are called so.
NODE_AT_HAND = frozenset(("child_process", "crypto", "fs", "os"))
_SEPARATOR = re.compile(r"[/\\]")


def is_library(module: str, folder: str) -> bool:
    """Whether a Python module is of the standard library or a known package, and not what the folder is about."""
    top = module.partition(".")[0]
    return top in _LIBRARIES and not is_of_folder(top, folder)


def is_of_folder(module: str, folder: str) -> bool:
    """Whether a folder above has the name of the module: that one may be under development there."""
    parts = {part.lower().replace("-", "_") for part in _SEPARATOR.split(folder)}
    return module.partition(".")[0].lower() in parts
